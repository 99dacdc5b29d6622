-- What the connector keeps ($3) of the job that holder $2 has begun for destination $1; nothing where the lease is another's.
INSERT INTO deliver.job_under_way AS j (destination_id, fence, kept)
SELECT destination_id, $2, $3::jsonb FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
ON CONFLICT (destination_id) DO UPDATE SET fence = EXCLUDED.fence, kept = EXCLUDED.kept, began_at = now()

-- Stores the connector's state ($3) of the job that holder $2 began for destination $1; does nothing if the lease is
-- another's.
INSERT INTO deliver.job_under_way AS j (destination_id, fence, kept)
SELECT destination_id, $2, $3::jsonb FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
ON CONFLICT (destination_id) DO UPDATE SET fence = EXCLUDED.fence, kept = EXCLUDED.kept, began_at = now()

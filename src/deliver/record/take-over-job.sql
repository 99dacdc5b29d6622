-- Moves the job in progress of destination $1, with its records in flight, to the fence of $2, which holds the lease
-- now. An earlier holder that wakes up again no longer owns any of them.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
before AS (
  SELECT j.destination_id, j.fence FROM deliver.job_under_way j JOIN held ON held.destination_id = j.destination_id
  FOR UPDATE OF j
),
moved AS (
  UPDATE deliver.job_under_way j SET fence = $2 FROM before b WHERE j.destination_id = b.destination_id
)
UPDATE deliver.record r SET fence = $2
FROM before b
WHERE r.destination_id = b.destination_id AND r.state = 'sending' AND r.fence = b.fence

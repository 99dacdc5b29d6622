-- The job under way of destination $1 goes on under the fence of $2, the holder of its lease now, with the records that are in
-- flight with it. A holder before, should it come back, finds none of them its own.
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

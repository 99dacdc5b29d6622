-- Clears the failures of destination $1 after a successful test. Returns a row if its account is to be notified.
WITH before AS (
  SELECT destination_id, status, broken_told_at FROM deliver.destination
  WHERE destination_id = $1 AND status <> 'removed' FOR NO KEY UPDATE
),
recovered AS (
  UPDATE deliver.destination d SET
    failures = 0, failure = NULL, retry_at = NULL, learned_batch_size = NULL,
    broken_told_at = CASE b.status WHEN 'paused' THEN d.broken_told_at END,
    status = CASE b.status WHEN 'broken' THEN 'active' ELSE b.status END,
    status_reason = CASE b.status WHEN 'broken' THEN NULL ELSE d.status_reason END
  FROM before b
  WHERE d.destination_id = b.destination_id
)
SELECT FROM before WHERE broken_told_at IS NOT NULL AND status <> 'paused'

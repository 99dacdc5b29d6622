-- Clears the failures of destination $1, for the holder $2 of its lease, after a successful answer. An account that
-- was notified of the breakage is to be notified of the recovery, also if the destination was resumed or given new
-- settings since. While paused, no notification is sent; it follows the first success after that.
WITH before AS (
  SELECT destination_id, status, broken_told_at FROM deliver.destination
  WHERE destination_id = $1 AND leased_to = $2 AND (failure IS NOT NULL OR status = 'broken' OR broken_told_at IS NOT NULL)
  FOR NO KEY UPDATE
)
UPDATE deliver.destination d SET
  failures = 0, failure = NULL, retry_at = NULL,
  broken_told_at = CASE b.status WHEN 'paused' THEN b.broken_told_at END,
  status = CASE b.status WHEN 'broken' THEN 'active' ELSE b.status END,
  status_reason = CASE b.status WHEN 'broken' THEN NULL ELSE d.status_reason END
FROM before b
WHERE d.destination_id = b.destination_id
RETURNING b.broken_told_at IS NOT NULL AND b.status <> 'paused' AS closed

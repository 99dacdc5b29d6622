-- Forgets the failures of destination $1, for the holder $2 of its lease: its CRM answered well. Whoever was told that it is broken
-- is to be told of that, also where somebody has resumed it, or given it new settings, since. A pause is told of nothing, and keeps
-- that for the good answer after it.
WITH before AS (
  SELECT destination_id, status, broken_told_at FROM deliver.destination
  WHERE destination_id = $1 AND leased_to = $2 AND (failure IS NOT NULL OR status = 'broken' OR broken_told_at IS NOT NULL)
  FOR UPDATE
)
UPDATE deliver.destination d SET
  failures = 0, failure = NULL, retry_at = NULL,
  broken_told_at = CASE b.status WHEN 'paused' THEN b.broken_told_at END,
  status = CASE b.status WHEN 'broken' THEN 'active' ELSE b.status END,
  status_reason = CASE b.status WHEN 'broken' THEN NULL ELSE d.status_reason END
FROM before b
WHERE d.destination_id = b.destination_id
RETURNING b.broken_told_at IS NOT NULL AND b.status <> 'paused' AS closed

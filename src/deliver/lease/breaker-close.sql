-- Forgets the failures of destination $1, for the holder $2 of its lease: its CRM answered well.
WITH before AS (
  SELECT destination_id, status FROM deliver.destination
  WHERE destination_id = $1 AND leased_to = $2 AND (failure IS NOT NULL OR status = 'broken') FOR UPDATE
)
UPDATE deliver.destination d SET
  failures = 0, failure = NULL, retry_at = NULL,
  status = CASE b.status WHEN 'broken' THEN 'active' ELSE b.status END,
  status_reason = CASE b.status WHEN 'broken' THEN NULL ELSE d.status_reason END
FROM before b
WHERE d.destination_id = b.destination_id
RETURNING b.status = 'broken' AS closed

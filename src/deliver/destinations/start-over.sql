-- Destination $1 leads into another account than before, whose ledger is with $2 now. The new account holds nothing
-- that the previous one acknowledged, and has no part in what that one left unanswered. All is owed to it but what is
-- owed nowhere: what was withdrawn or recalled, also if the previous account did not answer the recall yet.
WITH ended AS (
  SELECT external_id, last_error AS error FROM deliver.record
  WHERE destination_id = $1 AND state = 'rejected' AND last_error ->> 'code' IN ('RECALLED', 'SUPPRESSED', 'WITHDRAWN')
  UNION ALL
  SELECT external_id, '{"code": "RECALLED", "field": null, "message": "recalled: the import that brought it was undone"}'
  FROM deliver.recall WHERE destination_id = $2 AND status = 'pending' AND reason = 'undone'
)
UPDATE deliver.record r SET
  (state, last_error) = (SELECT CASE count(*) WHEN 0 THEN 'pending' ELSE 'rejected' END, min(e.error::text)::jsonb
    FROM ended e WHERE e.external_id = r.external_id),
  outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL, pushed_values = NULL, crm_id = NULL, attempts = 0,
  next_attempt_at = NULL, unconfirmed = NULL
WHERE r.destination_id = $1

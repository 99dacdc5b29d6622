-- $1 is a removed destination, whose credentials are deleted: its recalls fail, and the customer is notified of what
-- is still there and has to be deleted by hand. For what a destination left in an account that it was pointed away
-- from, its own deliveries say so, unless the account it leads into now has received them too: then their own recall
-- reports both.
WITH failed AS (
  UPDATE deliver.recall SET status = 'failed', settled_at = now(), answer = '{"error": "the destination was removed"}'
  WHERE destination_id = $1 AND status = 'pending'
  RETURNING external_id, crm_id, reason
), report AS (
  SELECT coalesce(d.former_of, d.destination_id) AS destination_id, d.former_of, f.external_id, jsonb_build_object(
    'code', CASE f.reason WHEN 'undone' THEN 'RECALLED' ELSE 'SUPPRESSED' END, 'field', NULL, 'message',
    'still in the CRM, where Panji has no access any more: '
      || CASE f.reason WHEN 'undone' THEN 'the import that brought it was undone' ELSE 'somebody objected' END
      || '. What to do: delete the record ' || coalesce(f.crm_id, f.external_id) || ' in the account ' || coalesce(d.verified_account, d.name)
      || ', or connect that account again: it is erased there the night after.') AS error
  FROM failed f CROSS JOIN deliver.destination d WHERE d.destination_id = $1
), stopped AS (
  UPDATE deliver.record r SET state = 'rejected', outcome = NULL, last_error = report.error, updated_at = now()
  FROM report WHERE r.destination_id = report.destination_id AND r.external_id = report.external_id
    AND report.former_of IS NOT NULL AND r.state = 'pending' AND r.acknowledged_at IS NULL
)
UPDATE deliver.delivery d SET state = 'rejected', outcome = NULL, payload_sha256 = NULL, pushed_values = NULL, acknowledged_at = NULL,
  last_error = report.error, updated_at = now()
FROM report WHERE d.destination_id = report.destination_id AND d.external_id = report.external_id
  AND (report.former_of IS NULL OR NOT EXISTS (SELECT FROM deliver.record r WHERE r.destination_id = report.destination_id
    AND r.external_id = report.external_id AND r.acknowledged_at IS NOT NULL))

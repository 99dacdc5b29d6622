-- $1 a removed destination, whose credentials nobody has any more: its recalls fail, and the customer is told what is still there and
-- theirs to delete. What a destination left to the account that it was turned away from is told on its own deliveries, unless the
-- account that it leads into now took them: their own recall tells both.
WITH failed AS (
  UPDATE deliver.recall SET status = 'failed', settled_at = now(), answer = '{"error": "the destination was removed"}'
  WHERE destination_id = $1 AND status = 'pending'
  RETURNING external_id, crm_id, reason
), told AS (
  SELECT coalesce(d.former_of, d.destination_id) AS destination_id, d.former_of, f.external_id, jsonb_build_object(
    'code', CASE f.reason WHEN 'undone' THEN 'RECALLED' ELSE 'SUPPRESSED' END, 'field', NULL, 'message',
    'still in the CRM, where Panji has no access any more: '
      || CASE f.reason WHEN 'undone' THEN 'the import that brought it was undone' ELSE 'somebody objected' END
      || '. What to do: delete the record ' || coalesce(f.crm_id, f.external_id) || ' in the account ' || coalesce(d.verified_account, d.name)
      || ', or connect that account again: it is erased there the night after.') AS error
  FROM failed f CROSS JOIN deliver.destination d WHERE d.destination_id = $1
), stopped AS (
  UPDATE deliver.record r SET state = 'rejected', outcome = NULL, last_error = told.error, updated_at = now()
  FROM told WHERE r.destination_id = told.destination_id AND r.external_id = told.external_id
    AND told.former_of IS NOT NULL AND r.state = 'pending' AND r.acknowledged_at IS NULL
)
UPDATE deliver.delivery d SET state = 'rejected', outcome = NULL, payload_sha256 = NULL, pushed_values = NULL, acknowledged_at = NULL,
  last_error = told.error, updated_at = now()
FROM told WHERE d.destination_id = told.destination_id AND d.external_id = told.external_id
  AND (told.former_of IS NULL OR NOT EXISTS (SELECT FROM deliver.record r WHERE r.destination_id = told.destination_id
    AND r.external_id = told.external_id AND r.acknowledged_at IS NOT NULL))

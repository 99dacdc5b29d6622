-- $1 is a removed destination, whose credentials are deleted: its recalls fail, and the customer is notified of what
-- is still there and has to be deleted by hand. For what a destination left in an account that it was pointed away
-- from, its own deliveries say so, unless the account it leads into now has received them too: then their own recall
-- reports both. What was sent about somebody who objected is erased here, but for the ids of the CRM itself (`Contact.Id`),
-- by which a later recall knows what is Panji's.
WITH failed AS (
  UPDATE deliver.recall c SET status = 'failed', settled_at = now(), answer = '{"error": "the destination was removed"}'
  WHERE destination_id = $1 AND status = 'pending' AND NOT EXISTS (
    SELECT FROM deliver.destination gone
    JOIN deliver.destination l USING (account_id, connector, verified_account, verified_holds)
    JOIN deliver.recall o ON o.destination_id = l.destination_id AND o.external_id = c.external_id AND o.status = 'pending'
    WHERE gone.destination_id = $1 AND l.status <> 'removed')
  RETURNING external_id, crm_id, reason
), report AS (
  SELECT coalesce(d.former_of, d.destination_id) AS destination_id, d.former_of, f.external_id, jsonb_build_object(
    'code', CASE f.reason WHEN 'undone' THEN 'RECALLED' ELSE 'SUPPRESSED' END, 'field', NULL, 'message',
    'still in the CRM, where Panji has no access any more: '
      || CASE f.reason WHEN 'undone' THEN 'the import that brought it was undone' ELSE 'somebody objected' END
      || '. What to do: delete the record ' || coalesce(f.crm_id, f.external_id) || ' in the account ' || coalesce(d.verified_account, d.name)
      || ', or connect that account again: it is erased there the night after.') AS error
  FROM failed f CROSS JOIN deliver.destination d WHERE d.destination_id = $1
), sent AS MATERIALIZED (
  SELECT r.destination_id, r.external_id FROM deliver.record r JOIN failed f USING (external_id)
  WHERE r.destination_id = $1 AND f.reason = 'objection'
  -- All writers lock the rows in this order.
  ORDER BY r.external_id
  FOR UPDATE OF r
), emptied AS (
  UPDATE deliver.record r SET reading = NULL, fixes = NULL, pushed_values = (
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(r.pushed_values) WHERE key LIKE '%.Id')
  FROM sent WHERE r.destination_id = sent.destination_id AND r.external_id = sent.external_id
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

-- $1 destination; $2 external ids whose records are erased; $3 why, for those that the CRM can restore for a time; $4
-- those of $2 whose records stay, since the customer had them before. Stores the receipts and clears the ledger's
-- rows of these records, so that a later push that may send them writes them anew. `found` was noted before the
-- erasure, by this attempt or an earlier one. A report that a former account still holds a record is kept. The rows of
-- removed destinations that led there, too, follow.
WITH receipt AS (
  UPDATE deliver.recall r SET
    status = CASE WHEN r.external_id = ANY ($4::text[]) THEN 'kept' WHEN coalesce((r.answer ->> 'found')::boolean, false) THEN 'erased' ELSE 'gone' END,
    answer = '{"found": false}' || (coalesce(r.answer, '{}') - 'error') || jsonb_strip_nulls(jsonb_build_object('erased_at', CASE WHEN r.external_id = ANY ($4::text[]) THEN NULL ELSE now() END, 'restorable', $3::jsonb -> r.external_id)),
    attempts = r.attempts + 1,
    settled_at = now()
  WHERE r.destination_id = $1 AND r.external_id = ANY ($2::text[]) AND r.status = 'pending'
  RETURNING r.external_id, jsonb_build_object('code', CASE r.reason WHEN 'undone' THEN 'RECALLED' ELSE 'SUPPRESSED' END, 'field', NULL, 'message',
    CASE r.status WHEN 'kept' THEN 'kept in the CRM' ELSE 'recalled' END
      || CASE r.reason WHEN 'undone' THEN ': the import that brought it was undone' ELSE ': somebody objected' END
      || CASE r.status WHEN 'kept' THEN '. What to do: the record ' || coalesce(r.crm_id, 'that you had') || ' is your own; delete there what came of this lead.' ELSE '' END
      || coalesce((SELECT min('. What to do: delete the record ' || coalesce(c.crm_id, c.external_id) || ' in the account ' || f.verified_account
        || ', too, into which this destination led before')
        FROM deliver.recall c JOIN deliver.destination f USING (destination_id)
        WHERE f.former_of = $1 AND c.external_id = r.external_id AND c.status = 'failed'), '')) AS error
), led AS MATERIALIZED (
  SELECT s.destination_id FROM deliver.destination d
  JOIN deliver.destination s ON s.destination_id = d.destination_id OR s.status = 'removed' AND s.account_id = d.account_id
    AND s.connector = d.connector AND s.verified_account = d.verified_account AND s.verified_holds = d.verified_holds
  WHERE d.destination_id = $1
), held AS MATERIALIZED (
  SELECT r.destination_id, r.external_id FROM led JOIN deliver.record r USING (destination_id)
  WHERE r.external_id = ANY ($2::text[])
  -- All writers lock the rows in this order.
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
), emptied AS (
  UPDATE deliver.record r SET
    state = 'rejected', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL, pushed_values = NULL,
    crm_id = NULL, sent_item_id = NULL, sent_version = NULL, sent_sha256 = NULL, unconfirmed = NULL, fence = NULL,
    last_error = (SELECT error FROM receipt WHERE receipt.external_id = r.external_id),
    updated_at = now()
  FROM held WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id
), report AS (
  UPDATE deliver.delivery d SET
    state = 'rejected', outcome = NULL, payload_sha256 = NULL, pushed_values = NULL, crm_id = NULL, remote_account = NULL,
    acknowledged_at = NULL,
    last_error = (SELECT error FROM receipt WHERE receipt.external_id = d.external_id),
    updated_at = now()
  FROM led WHERE d.destination_id = led.destination_id AND d.external_id = ANY ($2::text[])
)
SELECT count(*) AS settled FROM receipt

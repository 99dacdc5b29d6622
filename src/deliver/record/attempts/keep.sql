-- Keeps what one batch $1 sent into destination $2 and what the CRM answered, one row per lead. `fields` has what was `sent` and what the
-- record held of it `before`, by field of the CRM; of a record that is `whole` the ledger has just noted what was sent. Run twice for one
-- answer it keeps one row. Each record is looked up for itself: else a planner that knows nothing of the destination reads all it has.
INSERT INTO deliver.attempt (destination_id, external_id, item_id, status, crm_id, code, field, message, fields)
SELECT $2, a.external_id, a.item_id, a.status, a.crm_id, a.code, a.field, a.message,
  CASE WHEN a.is_whole THEN jsonb_build_object('sent', r.pushed_values, 'before', NULL) ELSE a.fields END
FROM jsonb_to_recordset($1::jsonb) AS a (external_id text, item_id uuid, status text, crm_id text, code text, field text, message text,
  fields jsonb, is_whole boolean)
LEFT JOIN LATERAL (
  SELECT pushed_values FROM deliver.record WHERE a.is_whole AND destination_id = $2 AND external_id = a.external_id OFFSET 0
) AS r ON true
ON CONFLICT DO NOTHING

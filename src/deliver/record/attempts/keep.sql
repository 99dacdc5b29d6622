-- Stores what batch $1 sent into destination $2 and what the CRM answered, one row per lead. `fields` has the values
-- `sent` and those that the record held `before`, by CRM field; for a record that is `whole` the ledger has just
-- stored what was sent. Idempotent per answer. Records are looked up one by one: otherwise a planner that has no
-- statistics for the destination reads all its records for each.
INSERT INTO deliver.attempt (destination_id, external_id, item_id, status, crm_id, code, field, message, fields)
SELECT $2, a.external_id, a.item_id, a.status, a.crm_id, a.code, a.field, a.message,
  CASE WHEN a.is_whole THEN jsonb_build_object('sent', r.pushed_values, 'before', NULL) ELSE a.fields END
FROM jsonb_to_recordset($1::jsonb) AS a (external_id text, item_id uuid, status text, crm_id text, code text, field text, message text,
  fields jsonb, is_whole boolean)
LEFT JOIN LATERAL (
  SELECT pushed_values FROM deliver.record WHERE a.is_whole AND destination_id = $2 AND external_id = a.external_id OFFSET 0
) AS r ON true
ON CONFLICT DO NOTHING

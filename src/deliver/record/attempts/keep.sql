-- Keeps what one batch $1 sent into destination $2 and what the CRM answered, one row per lead. `fields` has what was
-- `sent` and what the record held of it `before`, by field of the CRM. Run twice for one answer it keeps one row.
INSERT INTO deliver.attempt (destination_id, external_id, item_id, status, crm_id, code, field, message, fields)
SELECT $2, a.external_id, a.item_id, a.status, a.crm_id, a.code, a.field, a.message, a.fields
FROM jsonb_to_recordset($1::jsonb)
  AS a (external_id text, item_id uuid, status text, crm_id text, code text, field text, message text, fields jsonb)
ON CONFLICT DO NOTHING

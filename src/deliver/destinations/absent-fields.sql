-- The CRM of destination $1 has shown no fields $2 ({type, field}: of leads of the type). Where Panji had written one,
-- somebody deleted it or hid it, and what records lack in it once it is back is no user's edit: the value is wrapped
-- as one that was not written for a while, in the ledgers of all destinations of the customer into that account.
-- Invariant: nothing else changes, and a value is wrapped once.
WITH absent AS MATERIALIZED (
  SELECT type, array_agg(field) AS fields FROM jsonb_to_recordset($2::jsonb) AS a (type text, field text) GROUP BY type
),
held AS MATERIALIZED (
  SELECT r.destination_id, r.external_id, wrapped.by_field
  FROM deliver.destination d
  JOIN deliver.destination s ON s.account_id = d.account_id AND s.connector = d.connector
    AND s.verified_account = d.verified_account AND s.verified_holds = d.verified_holds
  JOIN deliver.record r ON r.destination_id = s.destination_id
  JOIN absent a ON a.type = split_part(r.external_id, ':', 1) AND r.pushed_values ?| a.fields
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(pushed.field, jsonb_build_array(pushed.value)) AS by_field
    FROM jsonb_each(r.pushed_values) AS pushed (field, value)
    WHERE pushed.field = ANY (a.fields) AND jsonb_typeof(pushed.value) <> 'array'
  ) AS wrapped
  WHERE d.destination_id = $1 AND wrapped.by_field IS NOT NULL
  -- All writers lock the rows in this order.
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
)
UPDATE deliver.record r SET pushed_values = r.pushed_values || h.by_field
FROM held h
WHERE r.destination_id = h.destination_id AND r.external_id = h.external_id

-- Fields $2 were created in the CRM of destination $1, so no record has a value in them. Where Panji had written one, somebody deleted the
-- field, and what is missing in its records is no user's edit: the value is wrapped as one that was not written for a while, in the ledgers
-- of all destinations of the customer into that account. Invariant: nothing else changes, and a value is wrapped once.
WITH emptied AS (
  SELECT r.destination_id, r.external_id, jsonb_object_agg(pushed.field, jsonb_build_array(pushed.value)) AS wrapped
  FROM deliver.destination d
  JOIN deliver.destination s ON s.account_id = d.account_id AND s.connector = d.connector
    AND s.verified_account = d.verified_account AND s.verified_holds = d.verified_holds
  JOIN deliver.record r ON r.destination_id = s.destination_id
  CROSS JOIN LATERAL jsonb_each(r.pushed_values) AS pushed (field, value)
  WHERE d.destination_id = $1 AND pushed.field = ANY ($2::text[]) AND jsonb_typeof(pushed.value) <> 'array'
  GROUP BY r.destination_id, r.external_id
)
UPDATE deliver.record r SET pushed_values = r.pushed_values || e.wrapped
FROM emptied e
WHERE r.destination_id = e.destination_id AND r.external_id = e.external_id

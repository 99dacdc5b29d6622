-- Fixes rejected records by hand: $1 rows of {delivery_id, values: column -> new value}, only of account $2 unless
-- that is null. Only a record that is rejected and still owed is fixed, and only one whose values change is sent
-- again. Returns one row with the result for each delivery that was found.
WITH asked AS (
  SELECT a.delivery_id, a.values FROM jsonb_to_recordset($1::jsonb) AS a (delivery_id uuid, "values" jsonb)
),
found AS (
  SELECT a.delivery_id, a.values, r.destination_id, r.external_id, r.fixes, coalesce(r.reading, l.flat) AS row,
    deliver.payload(coalesce(r.reading, l.flat), r.fixes) AS payload,
    r.state = 'rejected' AND o.status <> 'removed' AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
      AND coalesce(r.last_error ->> 'code', '') NOT IN ('WITHDRAWN', 'SUPPRESSED', 'NEEDS_APPROVAL') AS refused
  FROM asked a
  JOIN deliver.delivery d ON d.delivery_id = a.delivery_id
  JOIN deliver.destination o ON o.destination_id = d.destination_id AND ($2::uuid IS NULL OR o.account_id = $2)
  JOIN deliver.record r ON r.destination_id = d.destination_id AND r.external_id = d.external_id
  JOIN orders.item i ON i.item_id = r.item_id
  JOIN orders.lead l ON l.item_id = r.item_id
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
),
meant AS (
  SELECT f.*, coalesce(f.fixes, '{}') || coalesce((
      SELECT jsonb_object_agg(key, jsonb_build_object('was', coalesce(f.row -> key, 'null'), 'now', value))
      FROM jsonb_each(f.values) WHERE coalesce(f.payload -> key, 'null') <> value), '{}') AS fixed,
    jsonb_strip_nulls(f.payload || f.values) <> jsonb_strip_nulls(f.payload) AS changes
  FROM found f
),
written AS (
  UPDATE deliver.record r SET
    fixes = m.fixed,
    version = greatest(clock_timestamp(), r.version),
    desired_sha256 = sha256(convert_to(deliver.payload(m.row, m.fixed)::text, 'UTF8')),
    state = 'pending', attempts = 0, next_attempt_at = NULL, updated_at = now()
  FROM meant m
  WHERE m.refused AND m.changes AND r.destination_id = m.destination_id AND r.external_id = m.external_id
  RETURNING r.destination_id, r.external_id
),
followed AS (
  UPDATE deliver.delivery d SET state = 'pending', updated_at = now()
  FROM written w WHERE d.destination_id = w.destination_id AND d.external_id = w.external_id AND d.state = 'rejected'
)
SELECT delivery_id AS "deliveryId", destination_id AS "destinationId",
  CASE WHEN NOT refused THEN 'not_rejected' WHEN changes THEN 'fixed' ELSE 'unchanged' END AS became
FROM meant

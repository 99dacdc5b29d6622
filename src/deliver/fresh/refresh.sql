-- Compares the marked records $1 with what the registers have on them now ($2, only items that still have a row), and
-- requests an update of those that differ from what is desired. The mark is cleared unless a newer import set it
-- again. A lead that was refunded or withdrawn is not owed any more, and one that objected is never sent. Deliveries
-- stay acknowledged, so nothing is charged.
WITH requested AS (
  SELECT a.* FROM jsonb_to_recordset($1::jsonb) AS a ("destinationId" uuid, "externalId" text, "itemId" uuid, "markedBy" bigint)
),
chosen AS (
  SELECT r.destination_id, r.external_id, a."markedBy" AS marked_by, latest.row, latest."runId" AS run_id,
    latest.row IS NOT NULL AND d.status <> 'removed' AND d.keep = 'fresh' AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
      AND NOT access.objected_to(i.type, i.identifier)
      AND sha256(convert_to(deliver.payload(latest.row, r.fixes)::text, 'UTF8')) <> r.desired_sha256 AS changed
  FROM requested a
  JOIN deliver.record r ON r.destination_id = a."destinationId" AND r.external_id = a."externalId"
  JOIN deliver.destination d ON d.destination_id = r.destination_id
  JOIN orders.item i ON i.item_id = r.item_id
  LEFT JOIN jsonb_to_recordset($2::jsonb) AS latest ("itemId" uuid, "row" jsonb, "runId" bigint) ON latest."itemId" = r.item_id
  WHERE r.item_id = a."itemId" AND r.acknowledged_at IS NOT NULL
    AND (r.state = 'acknowledged' OR r.state = 'pending' AND r.unconfirmed IS NULL)
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
),
written AS (
  UPDATE deliver.record r SET
    changed_by_run = nullif(r.changed_by_run, c.marked_by),
    reading = CASE WHEN c.changed THEN c.row ELSE r.reading END,
    reading_run_id = CASE WHEN c.changed THEN c.run_id ELSE r.reading_run_id END,
    version = CASE WHEN c.changed THEN greatest(clock_timestamp(), r.version) ELSE r.version END,
    desired_sha256 = CASE WHEN c.changed THEN sha256(convert_to(deliver.payload(c.row, r.fixes)::text, 'UTF8')) ELSE r.desired_sha256 END,
    state = CASE WHEN c.changed THEN 'pending' ELSE r.state END,
    outcome = CASE WHEN c.changed AND r.state = 'acknowledged' THEN NULL ELSE r.outcome END,
    attempts = CASE WHEN c.changed AND r.state = 'acknowledged' THEN 0 ELSE r.attempts END,
    refreshed_at = CASE WHEN c.changed THEN now() ELSE r.refreshed_at END,
    updated_at = CASE WHEN c.changed THEN now() ELSE r.updated_at END
  FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
  RETURNING r.destination_id AS "destinationId", c.changed
)
SELECT "destinationId" FROM written WHERE changed

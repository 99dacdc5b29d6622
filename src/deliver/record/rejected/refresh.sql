-- Stores that the rejected records $1 were compared with the registers ($2: current rows of the items that have one),
-- and requests those whose row differs from what was rejected; where a destination delivers approved plans only, the
-- next plan shows the new row, except for what a standing order bought. What was refunded, withdrawn or objected to, or
-- needs an approved plan anyway, stays as it is, and so does what was delivered and rejected when it was sent again,
-- unless its destination has keep = 'fresh'.
WITH requested AS (
  SELECT a.* FROM jsonb_to_recordset($1::jsonb)
    AS a ("destinationId" uuid, "externalId" text, "itemId" uuid, version bigint)
),
chosen AS (
  SELECT r.destination_id, r.external_id, a.version, latest.row, latest."runId" AS run_id,
    latest.row IS NOT NULL AND d.status <> 'removed' AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
      AND coalesce(r.last_error ->> 'code', '') NOT IN ('WITHDRAWN', 'SUPPRESSED', 'NEEDS_APPROVAL')
      AND (d.keep = 'fresh' OR EXISTS (SELECT FROM deliver.delivery w
        WHERE w.destination_id = r.destination_id AND w.item_id = r.item_id AND w.state <> 'acknowledged'))
      AND sha256(convert_to(deliver.payload(latest.row, r.fixes)::text, 'UTF8')) IS DISTINCT FROM r.sent_sha256 AS changed,
    d.deliver <> 'approved' OR o.standing_run_id IS NOT NULL AS is_sent
  FROM requested a
  JOIN deliver.record r ON r.destination_id = a."destinationId" AND r.external_id = a."externalId"
  JOIN deliver.destination d ON d.destination_id = r.destination_id
  JOIN orders.item i ON i.item_id = r.item_id
  JOIN orders.purchase o ON o.order_id = i.order_id
  LEFT JOIN jsonb_to_recordset($2::jsonb) AS latest ("itemId" uuid, "row" jsonb, "runId" bigint) ON latest."itemId" = r.item_id
  WHERE r.state = 'rejected' AND r.item_id = a."itemId"
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
),
written AS (
  UPDATE deliver.record r SET
    compared_version = c.version,
    reading = CASE WHEN c.changed THEN c.row ELSE r.reading END,
    reading_run_id = CASE WHEN c.changed THEN c.run_id ELSE r.reading_run_id END,
    version = CASE WHEN c.changed THEN greatest(clock_timestamp(), r.version) ELSE r.version END,
    desired_sha256 = CASE WHEN c.changed THEN sha256(convert_to(deliver.payload(c.row, r.fixes)::text, 'UTF8')) ELSE r.desired_sha256 END,
    state = CASE WHEN c.changed AND c.is_sent THEN 'pending' ELSE r.state END,
    attempts = CASE WHEN c.changed THEN 0 ELSE r.attempts END,
    next_attempt_at = NULL,
    updated_at = CASE WHEN c.changed THEN now() ELSE r.updated_at END
  FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
  RETURNING r.destination_id, r.external_id, c.changed AND c.is_sent AS is_due
)
UPDATE deliver.delivery d SET state = 'pending', updated_at = now()
FROM written w
WHERE w.is_due AND d.destination_id = w.destination_id AND d.external_id = w.external_id AND d.state = 'rejected'
RETURNING d.destination_id AS "destinationId"

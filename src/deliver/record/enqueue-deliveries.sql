-- Gives every lead of order $3 at positions after $4 up to $5 its delivery into destination $1, requested by push $2,
-- in the state of its record. An acknowledged delivery stays as it is unless its own lead has changed since. One that
-- waited for a plan and is no longer owed is withdrawn, so that the push does not wait for it.
WITH withdrawn AS (
  UPDATE deliver.delivery w SET state = 'rejected', outcome = NULL, updated_at = now(),
    last_error = '{"code": "WITHDRAWN", "field": null, "message": "the lead was refunded, erased or objected to before it was delivered"}'
  FROM orders.item i
  WHERE i.order_id = $3 AND i.position > $4 AND i.position <= $5 AND w.destination_id = $1 AND w.item_id = i.item_id
    AND w.state = 'pending' AND w.last_error ->> 'code' = 'NEEDS_APPROVAL'
    AND (i.refunded_at IS NOT NULL OR i.withdrawn_at IS NOT NULL OR NOT EXISTS (SELECT FROM orders.lead l WHERE l.item_id = i.item_id))
)
INSERT INTO deliver.delivery AS d (destination_id, item_id, order_id, external_id, version, push_id, state, outcome,
  payload_sha256, crm_id, acknowledged_at, last_error)
SELECT r.destination_id, l.item_id, l.order_id, r.external_id, l.built_at, $2,
  CASE WHEN r.state IN ('acknowledged', 'rejected', 'unknown') THEN r.state ELSE 'pending' END,
  CASE r.state WHEN 'acknowledged' THEN 'unchanged' END,
  r.acknowledged_sha256, r.crm_id, r.acknowledged_at, CASE r.state WHEN 'rejected' THEN r.last_error END
FROM orders.lead l
JOIN orders.item i ON i.item_id = l.item_id
-- Looked up per lead: without the subquery, a planner that has no statistics for the destination reads all its
-- records for each lead.
JOIN LATERAL (
  SELECT * FROM deliver.record WHERE destination_id = $1 AND external_id = l.type || ':' || l.identifier OFFSET 0
) AS r ON true
LEFT JOIN LATERAL (
  SELECT item_id, state FROM deliver.delivery
  WHERE destination_id = $1 AND item_id = l.item_id AND external_id = l.type || ':' || l.identifier OFFSET 0
) AS before ON true
WHERE l.order_id = $3 AND l.position > $4 AND l.position <= $5 AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
  AND (before.item_id IS NULL OR before.state <> 'acknowledged' OR (r.item_id = l.item_id AND r.state <> 'acknowledged'))
ORDER BY r.external_id
ON CONFLICT (destination_id, item_id) DO UPDATE SET
  version = EXCLUDED.version,
  push_id = EXCLUDED.push_id,
  state = EXCLUDED.state,
  outcome = EXCLUDED.outcome,
  payload_sha256 = CASE EXCLUDED.state WHEN 'acknowledged' THEN EXCLUDED.payload_sha256 ELSE d.payload_sha256 END,
  acknowledged_at = CASE EXCLUDED.state WHEN 'acknowledged' THEN EXCLUDED.acknowledged_at ELSE d.acknowledged_at END,
  crm_id = coalesce(EXCLUDED.crm_id, d.crm_id),
  remote_account = CASE WHEN EXCLUDED.crm_id IS NULL THEN d.remote_account END,
  last_error = EXCLUDED.last_error,
  updated_at = now()

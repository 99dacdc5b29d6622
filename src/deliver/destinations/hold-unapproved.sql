-- Destination $1 delivers approved plans only from now on. What its automatic pushes enqueued and no call has reached
-- waits for a plan of its order, and says so. Of its record stays what the CRM acknowledged or, if a call may have
-- reached it since, what that call sent; without either it has no record. What a person or a standing order requested
-- is sent all the same.
WITH automatic AS MATERIALIZED (
  SELECT d.item_id, d.external_id
  FROM deliver.delivery d
  JOIN deliver.push p ON p.push_id = d.push_id AND p.asked_by = 'order'
  JOIN orders.purchase o ON o.order_id = d.order_id AND o.standing_run_id IS NULL
  WHERE d.destination_id = $1 AND d.state IN ('pending', 'unknown')
),
unapproved AS MATERIALIZED (
  SELECT r.external_id, sent.item_id AS sent_item_id, r.acknowledged_at IS NOT NULL AS is_held
  FROM deliver.record r
  LEFT JOIN LATERAL (SELECT r.sent_item_id AS item_id
    WHERE r.state IN ('sending', 'unknown') OR r.unconfirmed IS NOT NULL) AS sent ON true
  WHERE r.destination_id = $1 AND r.external_id IN (SELECT external_id FROM automatic)
    AND r.state IN ('pending', 'sending', 'unknown') AND r.fixes IS NULL AND NOT r.recreate
    AND r.item_id IS DISTINCT FROM sent.item_id AND (r.acknowledged_at IS NULL OR r.acknowledged_sha256 IS NOT NULL)
    AND NOT EXISTS (SELECT FROM deliver.delivery d
      WHERE d.destination_id = r.destination_id AND d.external_id = r.external_id AND d.state IN ('pending', 'unknown')
        AND d.item_id IS DISTINCT FROM sent.item_id AND d.last_error ->> 'code' IS DISTINCT FROM 'NEEDS_APPROVAL'
        AND NOT EXISTS (SELECT FROM automatic WHERE automatic.item_id = d.item_id))
  -- All writers lock the rows in this order.
  ORDER BY r.external_id
  FOR UPDATE OF r
),
forgotten AS (
  DELETE FROM deliver.record r USING unapproved u
  WHERE r.destination_id = $1 AND r.external_id = u.external_id AND u.sent_item_id IS NULL AND NOT u.is_held
),
as_sent AS (
  UPDATE deliver.record r SET item_id = r.sent_item_id, version = r.sent_version, desired_sha256 = r.sent_sha256
  FROM unapproved u WHERE r.destination_id = $1 AND r.external_id = u.external_id AND u.sent_item_id IS NOT NULL
),
kept AS (
  UPDATE deliver.record r SET
    state = 'acknowledged', outcome = 'unchanged', desired_sha256 = r.acknowledged_sha256,
    item_id = coalesce(r.sent_item_id, r.item_id), version = coalesce(r.sent_version, r.version),
    last_error = CASE r.attempts WHEN 0 THEN r.last_error END, attempts = 0, next_attempt_at = NULL, updated_at = now()
  FROM unapproved u
  WHERE r.destination_id = $1 AND r.external_id = u.external_id AND u.sent_item_id IS NULL AND u.is_held
)
UPDATE deliver.delivery d SET state = 'pending', updated_at = now(),
  last_error = '{"code": "NEEDS_APPROVAL", "field": null,
    "message": "the destination delivers approved plans only. What to do: plan the order, and push the plan by its hash"}'
FROM unapproved u
WHERE d.destination_id = $1 AND d.external_id = u.external_id AND d.state IN ('pending', 'unknown') AND d.item_id IS DISTINCT FROM u.sent_item_id

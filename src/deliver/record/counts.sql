-- Counts every lead of order $2 in exactly one of these columns. Acknowledged rows that push $3 did not have to send
-- are unchanged; a lead without a delivery is pending.
SELECT
  count(*) FILTER (WHERE d.state = 'acknowledged' AND d.push_id = $3 AND d.outcome = 'created')::int AS created,
  count(*) FILTER (WHERE d.state = 'acknowledged' AND d.push_id = $3 AND d.outcome = 'updated')::int AS updated,
  count(*) FILTER (WHERE d.state = 'acknowledged' AND (d.push_id IS DISTINCT FROM $3 OR d.outcome = 'unchanged'))::int
    AS unchanged,
  count(*) FILTER (WHERE d.state = 'rejected')::int AS rejected,
  count(*) FILTER (WHERE d.state IS NULL OR d.state IN ('pending', 'sending'))::int AS pending,
  count(*) FILTER (WHERE d.state = 'unknown')::int AS unknown
FROM orders.item i
-- Looked up per item: without the subquery, a planner that has no statistics for the destination reads all its
-- deliveries for each item.
LEFT JOIN LATERAL (
  SELECT * FROM deliver.delivery
  WHERE destination_id = $1 AND item_id = i.item_id AND external_id = i.type || ':' || i.identifier OFFSET 0
) AS d ON true
WHERE i.order_id = $2 AND (d.item_id IS NOT NULL OR (i.has_contact AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL))

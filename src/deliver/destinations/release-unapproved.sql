-- Destination $1 delivers automatically again: each order with leads that are owed and waited for a plan is enqueued anew at its next
-- time. If it delivers on request only, they wait for that.
INSERT INTO deliver.push AS p (destination_id, order_id, status, asked_by, due_at)
SELECT DISTINCT d.destination_id, w.order_id, 'queued', 'order', next.at
FROM deliver.destination d
CROSS JOIN LATERAL (SELECT deliver.next_delivery(d.deliver) AS at) AS next
JOIN deliver.delivery w ON w.destination_id = d.destination_id
JOIN orders.item i ON i.item_id = w.item_id AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
WHERE d.destination_id = $1 AND next.at IS NOT NULL AND w.state = 'pending' AND w.last_error ->> 'code' = 'NEEDS_APPROVAL'
ORDER BY w.order_id
ON CONFLICT (order_id, destination_id) WHERE asked_by = 'order' DO UPDATE SET
  status = 'queued', due_at = EXCLUDED.due_at, enqueued_through = NULL, enqueued_at = NULL, finished_at = NULL

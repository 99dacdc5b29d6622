-- The automatic pushes of order $1: one into each destination of its account that delivers at once or at a time of
-- day, then due at its next occurrence in India. What a standing order bought goes only into the destinations that it
-- names. An order whose leads were all refunded has nothing to deliver.
INSERT INTO deliver.push (destination_id, order_id, status, asked_by, due_at)
SELECT d.destination_id, p.order_id, 'queued', 'order',
  coalesce(deliver.next_delivery(d.deliver), now())
FROM orders.purchase p
LEFT JOIN orders.standing_run run ON run.run_id = p.standing_run_id
LEFT JOIN orders.standing_order s ON s.standing_order_id = run.standing_order_id
JOIN deliver.destination d ON d.account_id = p.account_id AND d.status <> 'removed'
WHERE p.order_id = $1 AND p.payment_status = 'paid'
  AND CASE WHEN s.standing_order_id IS NULL THEN deliver.next_delivery(d.deliver) IS NOT NULL
           ELSE d.destination_id = ANY (s.destinations) END
  AND EXISTS (SELECT FROM orders.lead l WHERE l.order_id = p.order_id)
  -- A push that was already requested needs no automatic one.
  AND NOT EXISTS (SELECT FROM deliver.push a WHERE a.order_id = p.order_id AND a.destination_id = d.destination_id)
ON CONFLICT (order_id, destination_id) WHERE asked_by = 'order' DO NOTHING

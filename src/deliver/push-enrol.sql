-- Gives every lead of order $3 its ledger row for destination $1; rows that are there stay as they are.
INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state, push_id)
SELECT $1, l.item_id, l.order_id, l.type || ':' || l.identifier, 'pending', $2
FROM orders.lead l
WHERE l.order_id = $3
ON CONFLICT (destination_id, item_id) DO NOTHING

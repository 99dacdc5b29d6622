-- The deliveries of account $1, order $2, destination $3, with outcome $4, of one of the records $5; null means any.
SELECT d.delivery_id, d.order_id, d.destination_id, o.name AS destination_name, d.external_id AS record, item.name,
  CASE d.state WHEN 'acknowledged' THEN d.outcome WHEN 'sending' THEN 'pending' ELSE d.state END AS outcome,
  d.last_error ->> 'code' AS code, d.last_error ->> 'field' AS field, d.last_error ->> 'message' AS message,
  o.record_urls ->> split_part(d.external_id, ':', 1) AS record_url, d.created_at, d.updated_at AS at
FROM deliver.delivery d
JOIN deliver.destination o ON o.destination_id = d.destination_id
JOIN orders.item ON item.item_id = d.item_id
WHERE ($1::uuid IS NULL OR o.account_id = $1)
  AND ($2::uuid IS NULL OR d.order_id = $2)
  AND ($3::uuid IS NULL OR d.destination_id = $3)
  AND ($4::text IS NULL OR CASE d.state WHEN 'acknowledged' THEN d.outcome WHEN 'sending' THEN 'pending' ELSE d.state END = $4)
  AND ($5::text[] IS NULL OR d.external_id = ANY($5))

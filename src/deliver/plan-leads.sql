-- The leads of order $2 as a push into destination $1 would send them; `delivered` ones it would not send.
SELECT l.item_id AS "itemId", l.type || ':' || l.identifier AS "externalId", l.type, l.flat AS row,
  coalesce(d.pushed_values, last.pushed_values) AS "lastPushed", coalesce(d.crm_id, last.crm_id) AS "crmId",
  coalesce(d.state = 'acknowledged' AND d.payload_sha256 = sha256(convert_to(l.flat::text, 'UTF8')), false) AS delivered
FROM orders.lead l
LEFT JOIN deliver.delivery d ON d.item_id = l.item_id AND d.destination_id = $1
LEFT JOIN LATERAL (
  SELECT o.pushed_values, o.crm_id
  FROM deliver.delivery o
  WHERE o.destination_id = $1 AND o.external_id = l.type || ':' || l.identifier AND o.acknowledged_at IS NOT NULL
  ORDER BY o.acknowledged_at DESC
  LIMIT 1
) last ON true
WHERE l.order_id = $2
ORDER BY l.position

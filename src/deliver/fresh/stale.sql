-- Up to $1 marked records that can be compared with the registers now. A record that was never delivered, is in
-- flight, or may have arrived without an answer is compared once the CRM has acknowledged it.
SELECT r.destination_id AS "destinationId", r.external_id AS "externalId", r.item_id AS "itemId", r.changed_by_run AS "markedBy"
FROM deliver.record r
JOIN deliver.destination d ON d.destination_id = r.destination_id AND d.keep = 'fresh' AND d.status <> 'removed'
WHERE r.changed_by_run IS NOT NULL AND r.acknowledged_at IS NOT NULL
  AND (r.state = 'acknowledged' OR r.state = 'pending' AND r.unconfirmed IS NULL)
ORDER BY r.destination_id, r.external_id
LIMIT $1

-- Up to $1 refused records that were not compared with the registers as they are now, each with the registers' version.
SELECT r.destination_id AS "destinationId", r.external_id AS "externalId", r.item_id AS "itemId", now_at.version
FROM deliver.record r
CROSS JOIN (SELECT coalesce(sum(version), 0)::bigint AS version FROM registry.version) AS now_at
WHERE r.state = 'rejected' AND coalesce(r.compared_version, -1) < now_at.version
ORDER BY coalesce(r.compared_version, -1), r.destination_id, r.external_id
LIMIT $1

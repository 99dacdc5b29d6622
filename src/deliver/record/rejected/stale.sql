-- Up to $1 rejected records that were not compared with the current version of the registers, each with that version.
-- What was recalled because its import was undone stays so until an import brings it to its standing order again.
SELECT r.destination_id AS "destinationId", r.external_id AS "externalId", r.item_id AS "itemId", now_at.version
FROM deliver.record r
CROSS JOIN (SELECT coalesce(sum(version), 0)::bigint AS version FROM registry.version) AS now_at
WHERE r.state = 'rejected' AND coalesce(r.compared_version, -1) < now_at.version
  AND NOT (coalesce(r.last_error ->> 'code' = 'RECALLED', false) AND EXISTS (SELECT FROM orders.item i
    JOIN orders.purchase p USING (order_id) JOIN orders.standing_run run ON run.run_id = p.standing_run_id
    JOIN orders.standing_match m ON m.standing_order_id = run.standing_order_id AND m.type = i.type AND m.identifier = i.identifier
    WHERE i.item_id = r.item_id AND m.state = 'undone'))
ORDER BY coalesce(r.compared_version, -1), r.destination_id, r.external_id
LIMIT $1

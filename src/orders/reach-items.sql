-- $1 the account, $2 types and $3 identifiers of an order's items. One row per item, in order: whether it has a
-- contact that the account does not exclude.
SELECT item.position,
       EXISTS (
         SELECT FROM registry.ways_to_reach(item.type, item.identifier) AS way
         WHERE NOT (way.barred AND (SELECT excludes_preferences FROM access.account WHERE account_id = $1))
       ) AS "hasContact"
FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS item (type, identifier, position)
ORDER BY item.position

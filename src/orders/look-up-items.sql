-- $1 types and $2 identifiers of an order's items, in order; $3 the account. One row per item: is the record in the
-- register, and is there a way to reach it that the account does not leave out. A register of its own per type, each asked once for all items through its primary key.
SELECT item.position,
       CASE item.type
         WHEN 'company' THEN company.cin IS NOT NULL
         WHEN 'director' THEN director.din IS NOT NULL AND NOT access.suppressed('din', director.din)
         WHEN 'gst' THEN gst_taxpayer.gstin IS NOT NULL
       END AS known,
       reach.is_reachable AS "hasContact"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (type, identifier, position)
LEFT JOIN registry.company ON item.type = 'company' AND company.cin = item.identifier
LEFT JOIN registry.director ON item.type = 'director' AND director.din = item.identifier
LEFT JOIN registry.gst_taxpayer ON item.type = 'gst' AND gst_taxpayer.gstin = item.identifier
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM registry.ways_to_reach(item.type, item.identifier) AS way
    WHERE NOT (way.barred AND (SELECT excludes_preferences FROM access.account WHERE account_id = $3))
  ) AS is_reachable
) AS reach
ORDER BY item.position

-- $1 types and $2 identifiers of an order's items, in order. One row per item: is the record in the register, and is
-- there a way to reach it that nobody objected to. A register of its own per type, each asked once for all items through its primary key.
SELECT item.position,
       CASE item.type
         WHEN 'company' THEN company.cin IS NOT NULL
         WHEN 'director' THEN director.din IS NOT NULL AND NOT access.suppressed('din', director.din)
         WHEN 'gst' THEN gst_taxpayer.gstin IS NOT NULL
       END AS known,
       coalesce(
         access.unless_suppressed('email', contact.email), access.unless_suppressed('mobile', contact.mobile),
         access.unless_suppressed('mobile', contact.phone), access.unless_suppressed('email', company.email)
       ) IS NOT NULL AND NOT (item.type = 'director' AND access.suppressed('din', item.identifier)) AS "hasContact"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (type, identifier, position)
LEFT JOIN registry.company ON item.type = 'company' AND company.cin = item.identifier
LEFT JOIN registry.director ON item.type = 'director' AND director.din = item.identifier
LEFT JOIN registry.gst_taxpayer ON item.type = 'gst' AND gst_taxpayer.gstin = item.identifier
LEFT JOIN registry.contact ON contact.id = item.type || ':' || item.identifier AND contact.closed_on IS NULL
ORDER BY item.position

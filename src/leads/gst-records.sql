-- $1 ids of order items. One record per GST item: the registration with the descriptions of its codes, and the
-- taxpayer's contacts. A code that is not in the reference lists keeps its position, as it was published, with an
-- empty description.
SELECT item.item_id AS "itemId", item.position, item.type, item.identifier, taxpayer.last_run_id AS "registryRunId",
  jsonb_build_object(
    'company', NULL,
    'directors', '[]'::jsonb,
    'gst', jsonb_build_array(jsonb_build_object(/* fields */,
      'hsnDescriptions', goods.descriptions,
      'sacDescriptions', services.descriptions)),
    'contact', to_jsonb(contact)
  ) AS record
FROM orders.item
JOIN registry.gst_taxpayer AS taxpayer ON taxpayer.gstin = item.identifier
JOIN orders.purchase ON purchase.order_id = item.order_id
JOIN access.account ON account.account_id = purchase.account_id
CROSS JOIN LATERAL registry.contact_of('gst', taxpayer.gstin, account.excludes_preferences) AS contact
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(coalesce(hsn.description, '') ORDER BY code.place), '[]') AS descriptions
  FROM unnest(taxpayer.hsn_codes) WITH ORDINALITY AS code (value, place)
  LEFT JOIN reference.hsn ON hsn.code = code.value AND hsn.closed_on IS NULL
) AS goods
CROSS JOIN LATERAL (
  SELECT coalesce(jsonb_agg(coalesce(sac.description, '') ORDER BY code.place), '[]') AS descriptions
  FROM unnest(taxpayer.sac_codes) WITH ORDINALITY AS code (value, place)
  LEFT JOIN reference.sac ON sac.code = code.value
) AS services
WHERE item.item_id = ANY ($1::uuid[]) AND item.type = 'gst'

-- Notes for recall what was sent to a CRM and may no longer be shared, also long ago and without an answer: each
-- external id once per destination. A recalled record no longer counts as acknowledged, so a repeated run finds only
-- what is new. An entry whose key is lost recalls nothing: nobody knows whom it means, so all contacts are withheld, and
-- would be erased.
INSERT INTO deliver.recall AS c (destination_id, external_id, crm_id)
SELECT DISTINCT r.destination_id, r.external_id, r.crm_id
FROM deliver.record r
JOIN orders.lead l ON l.item_id = ANY (ARRAY[r.item_id, r.sent_item_id] || r.unconfirmed)
CROSS JOIN LATERAL (VALUES (l.flat), (deliver.payload(coalesce(r.reading, l.flat), r.fixes))) AS held (flat)
CROSS JOIN LATERAL (
  VALUES ('email', held.flat ->> 'Email'), ('mobile', held.flat ->> 'Mobile'), ('mobile', held.flat ->> 'Phone'),
    ('din', held.flat ->> 'DIN'), ('pan', CASE WHEN substr(held.flat ->> 'GSTIN', 6, 1) = 'P' THEN held.flat ->> 'GSTIN' END)
  UNION ALL SELECT 'din', din FROM unnest(string_to_array(held.flat ->> 'DirectorDINs', ';')) AS din
) AS personal (kind, value)
WHERE (r.acknowledged_at IS NOT NULL OR r.state IN ('sending', 'unknown') OR r.unconfirmed IS NOT NULL)
  AND EXISTS (SELECT FROM access.suppression) AND access.on_list(personal.kind, personal.value)
-- A recall that waits because an import was undone is owed from now on, whatever another order requests.
ON CONFLICT (destination_id, external_id) WHERE status = 'pending' DO UPDATE SET reason = 'objection', requested_at = now()
  WHERE c.reason = 'undone'

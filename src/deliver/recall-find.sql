-- Notes for recall what was sent to a CRM and may not leave any more: of every destination each external id once. A row whose
-- record is recalled is acknowledged no more, so asking again finds what is new.
INSERT INTO deliver.recall (destination_id, external_id, crm_id)
SELECT DISTINCT ON (d.destination_id, d.external_id) d.destination_id, d.external_id, d.crm_id
FROM deliver.delivery d
JOIN orders.lead l ON l.item_id = d.item_id
CROSS JOIN LATERAL (
  VALUES ('email', l.flat ->> 'Email'), ('mobile', l.flat ->> 'Mobile'), ('mobile', l.flat ->> 'Phone'), ('din', l.flat ->> 'DIN')
  UNION ALL SELECT 'din', din FROM unnest(string_to_array(l.flat ->> 'DirectorDINs', ';')) AS din
) AS personal (kind, value)
WHERE (d.acknowledged_at IS NOT NULL OR d.state IN ('sending', 'unknown')) AND access.suppressed(personal.kind, personal.value)
ORDER BY d.destination_id, d.external_id, d.acknowledged_at DESC NULLS LAST
ON CONFLICT (destination_id, external_id) WHERE status = 'pending' DO NOTHING

-- The newest $2 attempts of the record of delivery $1.
SELECT a.at, a.status, a.crm_id, a.code, a.field, a.message, a.fields, access.objected_to(split_part(a.external_id, ':', 1),
  split_part(a.external_id, ':', 2)) AS objected
FROM deliver.delivery d
JOIN deliver.attempt a ON a.external_id = d.external_id AND a.destination_id = d.destination_id
WHERE d.delivery_id = $1
ORDER BY a.at DESC
LIMIT $2

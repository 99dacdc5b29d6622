-- The leads in flight with the job of destination $1 under the fence $2, as they were sent where that is known.
SELECT l.item_id AS "itemId", r.external_id AS "externalId", l.type,
  deliver.payload(coalesce(r.reading, l.flat), r.fixes) AS row, r.pushed_values AS "lastPushed", r.crm_id AS "crmId", r.recreate,
  deliver.sent_rows(r.unconfirmed, r.fixes) || coalesce(o.sent, '[]') AS unconfirmed
FROM deliver.record r
JOIN orders.lead l ON l.item_id = r.sent_item_id
LEFT JOIN LATERAL deliver.held_by_others($1, r.external_id) AS o ON true
WHERE r.destination_id = $1 AND r.fence = $2 AND r.state = 'sending'
ORDER BY r.external_id

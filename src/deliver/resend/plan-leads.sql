-- Up to $4 leads of the chosen records as a resend would send them, in their desired state. A record that was chosen
-- by name is created again if a user deleted it.
SELECT r.item_id AS "itemId", r.external_id AS "externalId", l.type,
  deliver.payload(coalesce(CASE WHEN o.version > r.version THEN o.flat END, r.reading, l.flat), r.fixes) AS row,
  r.pushed_values AS "lastPushed", coalesce(r.crm_id, o.crm_id) AS "crmId", r.recreate OR $3::text[] IS NOT NULL AS recreate,
  deliver.sent_rows(r.unconfirmed, r.fixes) || coalesce(o.sent, '[]') AS unconfirmed, false AS held
FROM deliver.record r
JOIN orders.item i ON i.item_id = r.item_id
JOIN orders.lead l ON l.item_id = r.item_id
LEFT JOIN LATERAL deliver.held_by_others($1, r.external_id) AS o ON true
WHERE
/* chosen */
ORDER BY r.external_id
LIMIT $4

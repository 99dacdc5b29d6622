-- The leads of order $2 as a push into destination $1 would send them. It would not send those that are `held`: the
-- CRM has acknowledged the same row, or a newer one, and none waits. A newer lead of the record that is owed is sent in
-- its place and, as in claim.sql, one of another destination. What was recalled is not owed, however new it is.
SELECT l.item_id AS "itemId", l.type || ':' || l.identifier AS "externalId", l.type,
  deliver.payload(coalesce(CASE WHEN o.version > greatest(owed.version, l.built_at) THEN o.flat END, due.flat), r.fixes) AS row,
  r.pushed_values AS "lastPushed", coalesce(r.crm_id, o.crm_id) AS "crmId",
  coalesce(r.recreate, false) AS recreate, deliver.sent_rows(r.unconfirmed, r.fixes) || coalesce(o.sent, '[]') AS unconfirmed,
  coalesce(r.state <> 'pending' AND r.acknowledged_sha256 = sha256(convert_to(deliver.payload(due.flat, r.fixes)::text, 'UTF8')), false)
    OR coalesce(r.version > l.built_at AND r.state = 'acknowledged', false) AS held
FROM orders.lead l
JOIN orders.item i ON i.item_id = l.item_id
-- Looked up per lead: without the subquery, a planner that has no statistics for the destination reads all its
-- records for each lead.
LEFT JOIN LATERAL (
  SELECT record.*, desired.flat FROM deliver.record
  LEFT JOIN (orders.lead AS desired JOIN orders.item AS paid USING (item_id))
    ON desired.item_id = record.item_id AND paid.refunded_at IS NULL AND paid.withdrawn_at IS NULL
  WHERE destination_id = $1 AND external_id = l.type || ':' || l.identifier OFFSET 0
) AS r ON true
LEFT JOIN LATERAL (
  SELECT r.item_id, r.version, coalesce(r.reading, r.flat) AS flat
  WHERE r.state <> 'rejected' OR r.last_error ->> 'code' IS DISTINCT FROM 'RECALLED'
) AS owed ON true
CROSS JOIN LATERAL (
  SELECT coalesce(CASE WHEN owed.item_id = l.item_id OR owed.version > l.built_at THEN owed.flat END, l.flat) AS flat
) AS due
LEFT JOIN LATERAL deliver.held_by_others($1, l.type || ':' || l.identifier) AS o ON true
WHERE l.order_id = $2 AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
ORDER BY l.position

-- Takes up to $4 pending rows of push $2 for its newest attempt ($3). `sending` is written before the CRM is called, so a
-- crash leaves a trace; an attempt that a newer one replaced takes nothing. The external id's last acknowledged values
-- come along, whichever order they were pushed for.
WITH due AS (
  SELECT d.destination_id, d.item_id
  FROM deliver.delivery d
  WHERE d.destination_id = $1 AND d.push_id = $2 AND d.state = 'pending'
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at <= clock_timestamp())
    AND EXISTS (SELECT FROM deliver.push p WHERE p.push_id = $2 AND p.fence = $3)
    -- Who objects while the push runs is not sent; the next attempt says why.
    AND NOT access.suppressed('din', CASE WHEN d.external_id LIKE 'director:%' THEN substr(d.external_id, 10) END)
  ORDER BY d.external_id
  LIMIT $4
  FOR UPDATE
),
taken AS (
  UPDATE deliver.delivery d SET
    state = 'sending',
    attempts = d.attempts + 1,
    first_sent_at = coalesce(d.first_sent_at, now()),
    fence = $3,
    updated_at = now()
  FROM due
  WHERE d.destination_id = due.destination_id AND d.item_id = due.item_id
  RETURNING d.*
)
SELECT t.item_id AS "itemId", t.external_id AS "externalId", l.type, l.flat AS row,
  coalesce(t.pushed_values, last.pushed_values) AS "lastPushed", coalesce(t.crm_id, last.crm_id) AS "crmId"
FROM taken t
JOIN orders.lead l ON l.item_id = t.item_id
LEFT JOIN LATERAL (
  SELECT o.pushed_values, o.crm_id
  FROM deliver.delivery o
  WHERE o.destination_id = t.destination_id AND o.external_id = t.external_id AND o.acknowledged_at IS NOT NULL
  ORDER BY o.acknowledged_at DESC
  LIMIT 1
) last ON true
ORDER BY t.external_id

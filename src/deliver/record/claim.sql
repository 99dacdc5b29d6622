-- Takes up to $3 due records of destination $1 behind $6 for the holder $2 of its lease, those with $4 to $5 tries behind them.
-- `sending` is written before the CRM is called, so a death leaves a trace; whoever lost the lease takes nothing, since the
-- shared lock on the destination waits for a holder that comes after. Nothing is joined before the limit is reached, so that
-- the rows come in the order of an index and those behind are not looked at, whatever the planner knows of the tables.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
due AS (
  SELECT r.external_id
  FROM deliver.record r
  WHERE r.destination_id = $1 AND EXISTS (SELECT FROM held)
    AND coalesce(r.state = 'pending', false) AND r.external_id > $6 AND r.attempts BETWEEN $4 AND $5
    AND (r.next_attempt_at IS NULL OR r.next_attempt_at <= clock_timestamp())
    -- What was given back, or is about somebody who objects, while it waits is not sent; the next holder lets go of the row.
    AND (SELECT i.refunded_at IS NULL AND i.withdrawn_at IS NULL FROM orders.item i WHERE i.item_id = r.item_id)
    AND NOT access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2))
  ORDER BY r.external_id
  LIMIT $3
  FOR UPDATE OF r
)
UPDATE deliver.record r SET
  state = 'sending',
  attempts = r.attempts + 1,
  fence = $2,
  sent_item_id = r.item_id,
  sent_version = r.version,
  sent_sha256 = sha256(convert_to(deliver.payload(coalesce(r.reading, l.flat), r.fixes)::text, 'UTF8')),
  desired_sha256 = sha256(convert_to(deliver.payload(coalesce(r.reading, l.flat), r.fixes)::text, 'UTF8')),
  updated_at = now()
FROM orders.lead l
WHERE r.destination_id = $1 AND r.external_id = ANY (ARRAY(SELECT external_id FROM due)) AND l.item_id = r.item_id
RETURNING r.item_id AS "itemId", r.external_id AS "externalId", l.type,
  deliver.payload(coalesce(r.reading, l.flat), r.fixes) AS row, r.pushed_values AS "lastPushed",
  r.crm_id AS "crmId", r.recreate, deliver.sent_rows(r.unconfirmed, r.fixes) AS unconfirmed, (SELECT max(external_id) FROM due) AS last

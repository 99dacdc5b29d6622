-- Claims up to $3 due records of destination $1 after $6 for the holder $2 of its lease, with $4 to $5 attempts so
-- far. `sending` is written before the CRM is called, so a crash leaves a trace. A worker that lost the lease claims
-- nothing, since a later holder has to wait for the shared lock on the destination. Nothing is joined before the
-- limit is reached, so that the rows come in index order and no further ones are read, whatever statistics the
-- planner has. If another destination into the same account of the CRM delivered a newer lead of a record, that one is
-- sent, so that nothing newer is overwritten there.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
due AS (
  SELECT r.external_id, r.item_id, r.version, r.reading, r.reading_run_id, r.fixes, r.crm_id
  FROM deliver.record r
  WHERE r.destination_id = $1 AND EXISTS (SELECT FROM held)
    AND coalesce(r.state = 'pending', false) AND r.external_id > $6 AND r.attempts BETWEEN $4 AND $5
    AND (r.next_attempt_at IS NULL OR r.next_attempt_at <= clock_timestamp())
    -- A record that was refunded or objected to while it waited is not sent; the next holder withdraws it.
    AND (SELECT i.refunded_at IS NULL AND i.withdrawn_at IS NULL FROM orders.item i WHERE i.item_id = r.item_id)
    AND NOT access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2))
  ORDER BY r.external_id
  LIMIT $3
  FOR UPDATE OF r
),
-- From the rows as they were locked: a newer lead may have been requested since the statement began.
chosen AS (
  SELECT due.external_id, lead.type, coalesce(due.crm_id, o.crm_id) AS crm_id, coalesce(o.sent, '[]') AS of_others, newest.*,
    deliver.payload(coalesce(newest.reading, lead.flat), due.fixes) AS row
  FROM due
  CROSS JOIN LATERAL (SELECT l.type, l.flat FROM orders.lead l WHERE l.item_id = due.item_id OFFSET 0) AS lead
  LEFT JOIN LATERAL deliver.held_by_others($1, due.external_id) AS o ON true
  CROSS JOIN LATERAL (
    SELECT due.reading, due.reading_run_id WHERE o.flat IS NULL OR o.version <= due.version
    UNION ALL SELECT o.flat, o.run_id WHERE o.flat IS NOT NULL AND o.version > due.version
  ) AS newest
)
UPDATE deliver.record r SET
  state = 'sending',
  attempts = r.attempts + 1,
  fence = $2,
  sent_item_id = r.item_id,
  sent_version = r.version,
  sent_sha256 = sha256(convert_to(c.row::text, 'UTF8')),
  desired_sha256 = sha256(convert_to(c.row::text, 'UTF8')),
  reading = c.reading,
  reading_run_id = c.reading_run_id,
  crm_id = c.crm_id,
  updated_at = now()
FROM chosen c
WHERE r.destination_id = $1 AND r.external_id = c.external_id AND r.external_id = ANY (ARRAY(SELECT external_id FROM due))
RETURNING r.item_id AS "itemId", r.external_id AS "externalId", c.type, c.row, r.pushed_values AS "lastPushed",
  r.crm_id AS "crmId", r.recreate, deliver.sent_rows(r.unconfirmed, r.fixes) || c.of_others AS unconfirmed, (SELECT max(external_id) FROM due) AS last

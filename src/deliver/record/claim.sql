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
  SELECT r.external_id
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
)
UPDATE deliver.record r SET
  state = 'sending',
  attempts = r.attempts + 1,
  fence = $2,
  sent_item_id = r.item_id,
  sent_version = r.version,
  (sent_sha256, desired_sha256) = (
    SELECT hash, hash
    FROM coalesce(CASE WHEN o.version > r.version THEN o.flat END, r.reading, l.flat) AS newest,
      sha256(convert_to(deliver.payload(newest, r.fixes)::text, 'UTF8')) AS hash),
  reading = coalesce(CASE WHEN o.version > r.version THEN o.flat END, r.reading),
  reading_run_id = CASE WHEN o.version > r.version AND o.flat IS NOT NULL THEN o.run_id ELSE r.reading_run_id END,
  crm_id = coalesce(r.crm_id, o.crm_id),
  updated_at = now()
FROM orders.lead l LEFT JOIN LATERAL deliver.held_by_others($1, l.type || ':' || l.identifier) AS o ON true
WHERE r.destination_id = $1 AND r.external_id = ANY (ARRAY(SELECT external_id FROM due)) AND l.item_id = r.item_id
RETURNING r.item_id AS "itemId", r.external_id AS "externalId", l.type,
  deliver.payload(coalesce(r.reading, l.flat), r.fixes) AS row, r.pushed_values AS "lastPushed", r.crm_id AS "crmId", r.recreate,
  deliver.sent_rows(r.unconfirmed, r.fixes) || coalesce(o.sent, '[]') AS unconfirmed, (SELECT max(external_id) FROM due) AS last

-- Records the outcomes $1 of one batch into destination $2, for the holder $3 that sent it: a row that a later holder
-- took over is skipped. Only a positive answer acknowledges a row, and only what was sent: if something newer is
-- desired by now, the row is pending again, also if the older was rejected. Nothing is abandoned: a transient refusal
-- waits. If another lead was sent before and never answered, the CRM may still process it: the record is checked again
-- once that must be over, and until then it stays unconfirmed. A record that was written but could not join its lists
-- is checked again in the same way, after the wait in its answer. The deliveries of what was sent follow their record.
-- If the answer names another record than the one that was known, and no destination into that account created it,
-- people merged ours into one of their own, which is noted as theirs. Rows are looked up one by one, in the order in
-- which all writers lock them: otherwise a planner that has no statistics for the destination reads all its records
-- for each batch. transitions.ts defines which state follows an event.
WITH pushed AS MATERIALIZED (
  SELECT r.destination_id, r.external_id, o.answer, o.outcome, o.crm_id, o.values, o.error, o.after_ms, o.is_fate,
    r.is_repeated, r.desired_sha256 <> r.sent_sha256 AS is_outdated, r.item_id <> r.sent_item_id AS is_of_another,
    o.answer = 'acknowledged' AND o.outcome <> 'created' AND o.crm_id <> r.crm_id AND r.unconfirmed IS NULL AND NOT r.recreate AS is_merged,
    CASE WHEN o.answer = 'acknowledged' AND o.after_ms IS NOT NULL
      THEN deliver.with_unconfirmed(r.unconfirmed, r.sent_item_id)
      WHEN o.answer = 'acknowledged'
        AND NOT (r.is_repeated AND coalesce(r.acknowledged_at < clock_timestamp() - interval '5 minutes', false))
      THEN nullif(array_remove(r.unconfirmed, r.sent_item_id), '{}') END AS may_yet_arrive
  FROM (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS given (external_id text, answer text, outcome text, crm_id text, values jsonb, error jsonb, after_ms double precision,
        is_fate boolean)
    ORDER BY external_id
  ) AS o
  CROSS JOIN LATERAL (
    SELECT *, acknowledged_sha256 IS NOT DISTINCT FROM sent_sha256 AS is_repeated FROM deliver.record
    WHERE destination_id = $2 AND external_id = o.external_id OFFSET 0 FOR UPDATE
  ) AS r
  WHERE r.fence = $3 AND r.state = 'sending'
),
answered AS MATERIALIZED (
  SELECT *, CASE
    WHEN answer = 'acknowledged' AND is_outdated THEN 'acknowledged_outdated'
    WHEN may_yet_arrive IS NOT NULL THEN 'acknowledged_unsettled'
    WHEN answer = 'rejected' AND is_of_another THEN 'rejected_outdated'
    WHEN answer = 'rejected' AND is_outdated THEN 'deferred'
    ELSE answer END AS event
  FROM pushed
),
written AS (
  UPDATE deliver.record r SET
    state = /* state of the record */,
    -- For a row settled after an unknown outcome, `outcome` already says what that call did.
    outcome = CASE WHEN a.event = 'acknowledged_outdated' THEN NULL
      WHEN a.answer = 'acknowledged' THEN coalesce(r.outcome, a.outcome) WHEN a.answer = 'rejected' THEN NULL ELSE r.outcome END,
    -- A record that is gone has nothing acknowledged in the CRM: requesting its lead again gives the same answer.
    acknowledged_sha256 = CASE WHEN a.answer = 'acknowledged' THEN r.sent_sha256 WHEN a.is_fate IS NOT TRUE THEN r.acknowledged_sha256 END,
    acknowledged_at = CASE WHEN a.answer = 'acknowledged' AND NOT (a.is_repeated AND r.unconfirmed IS NOT NULL) THEN now()
      ELSE r.acknowledged_at END,
    pushed_values = CASE a.answer WHEN 'acknowledged' THEN a.values ELSE r.pushed_values END,
    unconfirmed = CASE a.answer WHEN 'acknowledged' THEN a.may_yet_arrive
      WHEN 'unanswered' THEN deliver.with_unconfirmed(r.unconfirmed, r.sent_item_id) ELSE r.unconfirmed END,
    crm_id = coalesce(a.crm_id, r.crm_id),
    recreate = r.recreate AND a.answer <> 'acknowledged',
    attempts = CASE WHEN a.answer = 'acknowledged' AND a.after_ms IS NULL THEN 0 ELSE r.attempts END,
    last_error = a.error,
    compared_version = NULL,
    next_attempt_at = CASE WHEN a.answer <> 'acknowledged' OR a.after_ms IS NOT NULL AND r.desired_sha256 = r.sent_sha256 THEN clock_timestamp() + a.after_ms * interval '1 millisecond'
        * least(64, 2 ^ greatest(0, r.attempts - 3))
      WHEN a.may_yet_arrive IS NOT NULL AND r.desired_sha256 = r.sent_sha256 THEN clock_timestamp() + interval '5 minutes' END,
    fence = NULL,
    updated_at = now()
  FROM answered a
  WHERE r.destination_id = a.destination_id AND r.external_id = a.external_id
  RETURNING r.destination_id, r.external_id, a.answer, a.event, a.error, r.sent_item_id, r.sent_sha256, r.crm_id, r.reading_run_id,
    coalesce(r.outcome, a.outcome) AS outcome,
    -- A newer lead with the same content is answered with it.
    CASE WHEN a.answer = 'acknowledged' AND r.desired_sha256 = r.sent_sha256 THEN r.version ELSE r.sent_version END AS version
),
followed AS (
  UPDATE deliver.delivery d SET
    state = /* state of the delivery */,
    outcome = CASE WHEN w.answer <> 'acknowledged' THEN NULL WHEN d.item_id = w.sent_item_id THEN w.outcome ELSE 'unchanged' END,
    payload_sha256 = CASE w.answer WHEN 'acknowledged' THEN w.sent_sha256 ELSE d.payload_sha256 END,
    crm_id = coalesce(w.crm_id, d.crm_id),
    -- An id in the answer belongs to the account that was just called.
    remote_account = CASE WHEN w.crm_id IS NULL THEN d.remote_account END,
    reading_run_id = w.reading_run_id,
    acknowledged_at = CASE w.answer WHEN 'acknowledged' THEN now() ELSE d.acknowledged_at END,
    last_error = w.error,
    updated_at = now()
  FROM written w
  WHERE d.destination_id = w.destination_id AND d.external_id = w.external_id
    AND d.state <> 'acknowledged' AND d.version <= w.version
    -- What was taken back before it was sent is not delivered by what is sent for another order.
    AND NOT (coalesce(d.state = 'rejected' AND d.last_error ->> 'code' = 'WITHDRAWN', false) AND EXISTS (
      SELECT FROM orders.item i WHERE i.item_id = d.item_id AND (i.refunded_at IS NOT NULL OR i.withdrawn_at IS NOT NULL)))
),
theirs AS (
  INSERT INTO deliver.adoption (destination_id, crm_id, external_id)
  SELECT a.destination_id, a.crm_id, a.external_id FROM answered a
  WHERE a.is_merged AND NOT EXISTS (
    SELECT FROM deliver.destination d
    JOIN deliver.destination s ON s.connector = d.connector AND s.verified_account = d.verified_account AND s.destination_id <> d.destination_id
    JOIN deliver.record o ON o.destination_id = s.destination_id AND o.external_id = a.external_id AND o.crm_id = a.crm_id
    WHERE d.destination_id = a.destination_id)
  ORDER BY a.crm_id
  ON CONFLICT (destination_id, crm_id) DO NOTHING
)
SELECT count(*)::int AS touched FROM written

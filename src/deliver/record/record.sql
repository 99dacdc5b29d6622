-- Writes the outcomes $1 of one batch into destination $2, for the holder $3 that sent it and for no other: a row that a
-- later holder took over is skipped. Only a positive answer for a row acknowledges it, and only what was sent: where
-- something newer came to be desired meanwhile, the row is pending again. Nothing is given up: a refusal that passes waits.
-- Where another lead was sent before and never answered, the CRM may yet be working it off: the record is looked at again once
-- that must be over, and until then what is unconfirmed stays so. A record that is written and could join nothing for now is looked at
-- again in the same way, after the wait that its answer names. The deliveries of what was sent, and of all that it stands for,
-- follow. Each row is looked up for itself, in the order in which all writers take them: else a planner that knows nothing of
-- the destination reads all it has for each batch. Which state follows an event is said in transitions.ts.
WITH told AS MATERIALIZED (
  SELECT r.destination_id, r.external_id, o.answer, o.outcome, o.crm_id, o.values, o.error, o.after_ms, o.is_fate,
    r.is_repeated, r.desired_sha256 <> r.sent_sha256 AS is_outdated, r.item_id <> r.sent_item_id AS is_of_another,
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
    ELSE answer END AS event
  FROM told
),
written AS (
  UPDATE deliver.record r SET
    state = /* state of the record */,
    -- A row settled after an unknown outcome already knows what that call did.
    outcome = CASE WHEN a.event = 'acknowledged_outdated' THEN NULL
      WHEN a.answer = 'acknowledged' THEN coalesce(r.outcome, a.outcome) WHEN a.answer = 'rejected' THEN NULL ELSE r.outcome END,
    -- Of a record that is gone nothing stands in the CRM any more: whoever asks for its lead again hears the same.
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
    -- A newer lead that says the same is answered with it.
    CASE WHEN a.answer = 'acknowledged' AND r.desired_sha256 = r.sent_sha256 THEN r.version ELSE r.sent_version END AS version
),
followed AS (
  UPDATE deliver.delivery d SET
    state = /* state of the delivery */,
    outcome = CASE WHEN w.answer <> 'acknowledged' THEN NULL WHEN d.item_id = w.sent_item_id THEN w.outcome ELSE 'unchanged' END,
    payload_sha256 = CASE w.answer WHEN 'acknowledged' THEN w.sent_sha256 ELSE d.payload_sha256 END,
    crm_id = coalesce(w.crm_id, d.crm_id),
    -- An id that the record has is of the account that was just called.
    remote_account = CASE WHEN w.crm_id IS NULL THEN d.remote_account END,
    reading_run_id = w.reading_run_id,
    acknowledged_at = CASE w.answer WHEN 'acknowledged' THEN now() ELSE d.acknowledged_at END,
    last_error = w.error,
    updated_at = now()
  FROM written w
  WHERE d.destination_id = w.destination_id AND d.external_id = w.external_id
    AND d.state <> 'acknowledged' AND d.version <= w.version
)
SELECT count(*)::int AS touched FROM written

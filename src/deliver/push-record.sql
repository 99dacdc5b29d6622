-- Writes the outcomes $1 of one batch into destination $2, for the attempt $3 that sent it and for no other: a row that a
-- newer attempt took over is left alone. Only a positive answer for a row acknowledges it. A lead that the CRM refused
-- for now and has refused $4 times is rejected with the CRM's last reason.
UPDATE deliver.delivery d SET
  state = CASE
    WHEN o.state = 'pending' AND d.attempts >= $4 THEN 'rejected'
    ELSE o.state END,
  -- A row settled after an unknown outcome already knows what that call did.
  outcome = CASE o.state WHEN 'acknowledged' THEN coalesce(d.outcome, o.outcome) WHEN 'pending' THEN d.outcome END,
  payload_sha256 = CASE o.state WHEN 'acknowledged' THEN sha256(convert_to(l.flat::text, 'UTF8')) ELSE d.payload_sha256 END,
  pushed_values = CASE o.state WHEN 'acknowledged' THEN o.values ELSE d.pushed_values END,
  crm_id = coalesce(o.crm_id, d.crm_id),
  acknowledged_at = CASE o.state WHEN 'acknowledged' THEN now() ELSE d.acknowledged_at END,
  last_error = o.error,
  next_attempt_at = clock_timestamp() + o.after_ms * interval '1 millisecond',
  fence = NULL,
  updated_at = now()
FROM jsonb_to_recordset($1::jsonb)
    AS o (item_id uuid, state text, outcome text, crm_id text, values jsonb, error jsonb, after_ms double precision)
JOIN orders.lead l ON l.item_id = o.item_id
WHERE d.destination_id = $2 AND d.item_id = o.item_id AND d.fence = $3 AND d.state = 'sending'

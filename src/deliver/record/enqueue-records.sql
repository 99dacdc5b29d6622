-- Updates what destination $1 is to hold with the leads of order $2 at positions after $3 up to $4. The newest
-- reading of the register wins, whatever the order of the orders: an older lead never replaces a newer one, unless that
-- was recalled. What the CRM has acknowledged is not sent again, unless something unconfirmed may be there too. What was
-- rejected or waits, also to be sent again by request, is due at once, whichever order requests it. Fixes made by hand
-- are kept. People who objected are rejected here. A row in flight stays in flight, and is compared with what is desired
-- once it is answered: with nothing if the mapping was saved since.
INSERT INTO deliver.record AS r (destination_id, external_id, item_id, version, desired_sha256, state, last_error)
SELECT $1, l.type || ':' || l.identifier, l.item_id, l.built_at, sha256(convert_to(deliver.payload(l.flat, had.fixes)::text, 'UTF8')),
  CASE WHEN objected.error IS NULL THEN 'pending' ELSE 'rejected' END, objected.error
FROM orders.lead l
JOIN orders.item i ON i.item_id = l.item_id
LEFT JOIN LATERAL (
  SELECT jsonb_build_object('code', 'SUPPRESSED', 'field', NULL, 'message', 'the person objected; nothing was sent') AS error
  WHERE access.objected_to(l.type, l.identifier)
) AS objected ON true
-- Looked up per lead: without the subquery, a planner that has no statistics for the destination reads all its
-- records for each lead.
LEFT JOIN LATERAL (
  SELECT fixes FROM deliver.record WHERE destination_id = $1 AND external_id = l.type || ':' || l.identifier OFFSET 0
) AS had ON true
WHERE l.order_id = $2 AND l.position > $3 AND l.position <= $4 AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
-- All writers lock the rows in this order.
ORDER BY 2
ON CONFLICT (destination_id, external_id) DO UPDATE SET
  (item_id, version, desired_sha256, reading, reading_run_id, state) = (
    SELECT CASE WHEN is_replaced THEN EXCLUDED.item_id ELSE r.item_id END,
      CASE WHEN is_replaced THEN EXCLUDED.version ELSE r.version END,
      desired,
      CASE WHEN NOT is_recalled AND EXCLUDED.version <= r.version THEN r.reading END,
      CASE WHEN NOT is_recalled AND EXCLUDED.version <= r.version THEN r.reading_run_id END,
      CASE
        WHEN r.state IN ('sending', 'unknown') THEN r.state
        WHEN EXCLUDED.state = 'rejected' THEN 'rejected'
        WHEN r.state <> 'pending' AND r.acknowledged_sha256 = desired AND r.unconfirmed IS NULL AND NOT r.recreate THEN 'acknowledged'
        ELSE 'pending' END
    FROM coalesce(r.state = 'rejected' AND r.last_error ->> 'code' = 'RECALLED', false) AS is_recalled,
      LATERAL (SELECT is_recalled OR r.version <= EXCLUDED.version AS is_replaced) AS than,
      LATERAL (SELECT CASE WHEN is_replaced AND NOT (r.state = 'sending' AND r.desired_sha256 = '')
        THEN EXCLUDED.desired_sha256 ELSE r.desired_sha256 END AS desired) AS due),
  outcome = CASE WHEN r.state IN ('acknowledged', 'rejected') THEN NULL ELSE r.outcome END,
  last_error = coalesce(EXCLUDED.last_error, r.last_error),
  attempts = 0,
  next_attempt_at = NULL,
  updated_at = now()
WHERE r.state IN ('rejected', 'pending')
  OR r.version <= EXCLUDED.version AND (r.item_id <> EXCLUDED.item_id OR r.desired_sha256 <> EXCLUDED.desired_sha256)

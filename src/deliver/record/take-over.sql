-- Cleans up when holder $2 of the lease of destination $1 begins. A row left in `sending` belongs to a holder that
-- died: whether the CRM wrote it is unknown, unless it belongs to a job that this holder continues. A row that waits
-- with a lead that is gone, was refunded, or whose person objected, is no longer owed for it: it gets the newest lead
-- that another order still owes there, without what was recalled or needs a plan, and is withdrawn if there is none. What was read
-- since in the registers is newer than any of them, and stays.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
withdrawal AS (
  SELECT jsonb_build_object('code', 'WITHDRAWN', 'field', NULL, 'message', 'the lead was refunded, erased or objected to before it was delivered') AS error
),
open AS (
  SELECT r.destination_id, r.external_id, r.state,
    NOT EXISTS (SELECT FROM orders.lead l JOIN orders.item i ON i.item_id = l.item_id
      WHERE l.item_id = r.item_id AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL) AS taken_back,
    access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2)) AS objected
  FROM deliver.record r
  JOIN held ON held.destination_id = r.destination_id
  WHERE r.state = 'pending' OR (r.state = 'sending' AND r.fence IS DISTINCT FROM $2)
  ORDER BY r.external_id
  FOR UPDATE OF r
),
gone AS (
  SELECT o.destination_id, o.external_id, o.state, other.item_id, other.built_at, other.flat
  FROM open o
  LEFT JOIN LATERAL (
    SELECT l.item_id, l.built_at, l.flat
    FROM deliver.delivery d
    JOIN orders.item i ON i.item_id = d.item_id
    JOIN orders.lead l ON l.item_id = d.item_id
    WHERE d.destination_id = o.destination_id AND d.external_id = o.external_id
      AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL AND coalesce(d.last_error ->> 'code', '') NOT IN ('RECALLED', 'NEEDS_APPROVAL')
    ORDER BY l.built_at DESC, l.item_id
    LIMIT 1
  ) AS other ON o.state = 'pending' AND NOT o.objected
  WHERE o.state = 'sending' OR o.taken_back OR o.objected
),
written AS (
  UPDATE deliver.record r SET
    state = CASE WHEN g.state = 'sending' THEN 'unknown' WHEN g.item_id IS NULL THEN 'rejected' ELSE r.state END,
    item_id = coalesce(g.item_id, r.item_id),
    version = CASE WHEN r.reading IS NULL THEN coalesce(g.built_at, r.version) ELSE r.version END,
    desired_sha256 = CASE WHEN g.item_id IS NULL THEN r.desired_sha256
      ELSE sha256(convert_to(deliver.payload(coalesce(r.reading, g.flat), r.fixes)::text, 'UTF8')) END,
    last_error = CASE WHEN g.state = 'pending' AND g.item_id IS NULL THEN withdrawal.error ELSE r.last_error END,
    unconfirmed = CASE g.state WHEN 'sending' THEN deliver.with_unconfirmed(r.unconfirmed, r.sent_item_id) ELSE r.unconfirmed END,
    fence = NULL,
    updated_at = now()
  FROM gone g, withdrawal
  WHERE r.destination_id = g.destination_id AND r.external_id = g.external_id
  RETURNING r.destination_id, r.external_id, r.state, r.version, r.last_error
)
UPDATE deliver.delivery d SET
  state = CASE w.state WHEN 'pending' THEN 'rejected' ELSE w.state END,
  outcome = NULL,
  last_error = CASE w.state WHEN 'pending' THEN withdrawal.error ELSE w.last_error END,
  updated_at = now()
FROM written w, withdrawal
WHERE d.destination_id = w.destination_id AND d.external_id = w.external_id AND d.state <> 'acknowledged'
  AND NOT coalesce(d.state = 'rejected' AND d.last_error ->> 'code' = 'RECALLED', false)
  -- What needs a plan still needs one.
  AND CASE WHEN w.state = 'pending' OR d.last_error ->> 'code' = 'NEEDS_APPROVAL' THEN EXISTS (
      SELECT FROM orders.item i WHERE i.item_id = d.item_id AND (i.refunded_at IS NOT NULL OR i.withdrawn_at IS NOT NULL))
    ELSE d.version <= w.version END

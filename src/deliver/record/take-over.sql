-- Cleans up when holder $2 of the lease of destination $1 begins. A row left in `sending` belongs to a holder that
-- died: whether the CRM wrote it is unknown, unless it belongs to a job that this holder continues. A row whose lead
-- is gone, was refunded, or whose person objected, is no longer owed.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
open AS (
  SELECT r.destination_id, r.external_id, r.state,
    NOT EXISTS (SELECT FROM orders.lead l JOIN orders.item i ON i.item_id = l.item_id
      WHERE l.item_id = r.item_id AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL)
      OR access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2)) AS withdrawn
  FROM deliver.record r
  JOIN held ON held.destination_id = r.destination_id
  WHERE r.state = 'pending' OR (r.state = 'sending' AND r.fence IS DISTINCT FROM $2)
  ORDER BY r.external_id
  FOR UPDATE OF r
),
written AS (
  UPDATE deliver.record r SET
    state = CASE o.state WHEN 'sending' THEN 'unknown' ELSE 'rejected' END,
    last_error = CASE o.state WHEN 'sending' THEN r.last_error
      ELSE jsonb_build_object('code', 'WITHDRAWN', 'field', NULL, 'message', 'the lead was refunded, erased or objected to before it was delivered') END,
    unconfirmed = CASE o.state WHEN 'sending' THEN deliver.with_unconfirmed(r.unconfirmed, r.sent_item_id) ELSE r.unconfirmed END,
    fence = NULL,
    updated_at = now()
  FROM open o
  WHERE r.destination_id = o.destination_id AND r.external_id = o.external_id AND (o.state = 'sending' OR o.withdrawn)
  RETURNING r.destination_id, r.external_id, r.state, r.last_error, r.version
)
UPDATE deliver.delivery d SET state = w.state, outcome = NULL, last_error = w.last_error, updated_at = now()
FROM written w
WHERE d.destination_id = w.destination_id AND d.external_id = w.external_id AND d.state <> 'acknowledged'
  AND d.version <= w.version

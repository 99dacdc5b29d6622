-- Says which rows of order $3 the push $2 has to send to destination $1. A row left in `sending` belongs to an attempt
-- that died: whether the CRM wrote it is unknown. A new push tries rejects again and sends leads that changed since they
-- were acknowledged; an acknowledged lead that is the same stays acknowledged, so pushing again writes nothing.
UPDATE deliver.delivery d SET
  state = CASE WHEN d.state IN ('sending', 'unknown') THEN 'unknown' ELSE 'pending' END,
  attempts = CASE WHEN d.push_id IS DISTINCT FROM $2 THEN 0 ELSE d.attempts END,
  next_attempt_at = CASE WHEN d.push_id IS DISTINCT FROM $2 THEN NULL ELSE d.next_attempt_at END,
  outcome = CASE WHEN d.push_id IS DISTINCT FROM $2 THEN NULL ELSE d.outcome END,
  push_id = $2,
  fence = NULL,
  updated_at = now()
FROM orders.lead l
WHERE d.destination_id = $1 AND d.order_id = $3 AND l.item_id = d.item_id
  AND (d.state = 'sending'
    OR (d.push_id IS DISTINCT FROM $2
      AND (d.state IN ('pending', 'unknown', 'rejected')
        OR d.payload_sha256 IS DISTINCT FROM sha256(convert_to(l.flat::text, 'UTF8')))))

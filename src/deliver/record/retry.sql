-- Makes rejected and waiting records due at once: those of account $1, delivery $2, order $3, destination $4, where
-- null means any. Ends a wait of their destinations. What is withdrawn or needs an approved plan stays so, and so does
-- what was recalled for a person who is still on the objection list, and what was recalled since its import was undone
-- unless its delivery or order is named. If nobody asked for the leads themselves ($5), what was rejected stays so where
-- only approved plans are delivered, except what a standing order bought. A caller who names a single delivery wants
-- that very record: it is sent again even if the CRM acknowledged it, and created again if a user deleted it there. A
-- delivered record that was refunded, withdrawn or objected to is no longer owed, and is still reported as delivered.
WITH chosen AS (
  SELECT r.destination_id, r.external_id
  FROM deliver.record r
  JOIN deliver.destination o ON o.destination_id = r.destination_id AND o.status <> 'removed'
  WHERE (r.state IN ('rejected', 'pending')
      OR (r.state = 'acknowledged' AND $2::uuid IS NOT NULL
        AND EXISTS (SELECT FROM orders.item i WHERE i.item_id = r.item_id AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL)
        AND NOT access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2))))
    AND CASE coalesce(r.last_error ->> 'code', '') WHEN 'WITHDRAWN' THEN false
      WHEN 'NEEDS_APPROVAL' THEN o.deliver <> 'approved'
      WHEN 'RECALLED' THEN coalesce($2::uuid, $3::uuid) IS NOT NULL
      WHEN 'SUPPRESSED' THEN NOT access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2)) ELSE true END
    AND NOT ($5::boolean AND r.state = 'rejected' AND o.deliver = 'approved' AND NOT EXISTS (SELECT FROM orders.item i
      JOIN orders.purchase p ON p.order_id = i.order_id WHERE i.item_id = r.item_id AND p.standing_run_id IS NOT NULL))
    AND ($1::uuid IS NULL OR o.account_id = $1) AND ($4::uuid IS NULL OR r.destination_id = $4)
    AND (($2::uuid IS NULL AND $3::uuid IS NULL) OR EXISTS (SELECT FROM deliver.delivery d
      WHERE d.destination_id = r.destination_id AND d.external_id = r.external_id
        AND ($2::uuid IS NULL OR d.delivery_id = $2) AND ($3::uuid IS NULL OR d.order_id = $3)))
  ORDER BY r.destination_id, r.external_id
  FOR UPDATE OF r
),
due AS (
  UPDATE deliver.record r SET state = 'pending', attempts = 0, next_attempt_at = NULL,
    -- Of one that is pending it may be known what an unanswered call did.
    outcome = CASE WHEN r.state = 'pending' THEN r.outcome END,
    recreate = r.recreate OR $2::uuid IS NOT NULL, updated_at = now()
  FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
  RETURNING r.destination_id, r.external_id
),
followed AS (
  UPDATE deliver.delivery d SET state = 'pending', outcome = NULL, updated_at = now()
  FROM due WHERE d.destination_id = due.destination_id AND d.external_id = due.external_id
    AND (d.state IN ('rejected', 'pending') OR d.delivery_id = $2)
  RETURNING d.destination_id
),
ended AS (
  -- One that is locked is at work and waits for nothing. Others lock it before its records, so waiting could deadlock.
  UPDATE deliver.destination SET retry_at = NULL
  WHERE destination_id IN (SELECT o.destination_id FROM deliver.destination o
    WHERE o.retry_at IS NOT NULL AND o.destination_id IN (SELECT destination_id FROM due) FOR NO KEY UPDATE SKIP LOCKED)
)
SELECT destination_id AS "destinationId", count(*)::int AS deliveries FROM followed GROUP BY destination_id

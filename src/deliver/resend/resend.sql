-- Makes the chosen records due at once, including acknowledged ones: each is read, compared, and written if it
-- differs. Those of $4 are created again if they are gone. Ends a wait of the destination. Acknowledged deliveries
-- stay so.
WITH chosen AS (
  SELECT r.destination_id, r.external_id
  FROM deliver.record r
  JOIN orders.item i ON i.item_id = r.item_id
  WHERE
/* chosen */
  ORDER BY r.external_id
  FOR UPDATE OF r
),
due AS (
  UPDATE deliver.record r SET state = 'pending', attempts = 0, next_attempt_at = NULL,
    -- Of one that is pending it may be known what an unanswered call did.
    outcome = CASE WHEN r.state = 'pending' THEN r.outcome END,
    recreate = r.recreate OR r.external_id = ANY($4::text[]), updated_at = now()
  FROM chosen c WHERE r.destination_id = c.destination_id AND r.external_id = c.external_id
  RETURNING r.destination_id, r.external_id
),
followed AS (
  UPDATE deliver.delivery d SET state = 'pending', outcome = NULL, updated_at = now()
  FROM due WHERE d.destination_id = due.destination_id AND d.external_id = due.external_id AND d.state = 'rejected'
),
ended AS (
  -- One that is locked is at work and waits for nothing. Others lock it before its records, so waiting could deadlock.
  UPDATE deliver.destination SET retry_at = NULL
  WHERE destination_id IN (SELECT o.destination_id FROM deliver.destination o
    WHERE o.destination_id = $1 AND o.retry_at IS NOT NULL AND EXISTS (SELECT FROM due) FOR NO KEY UPDATE SKIP LOCKED)
)
SELECT count(*)::int AS resent FROM due

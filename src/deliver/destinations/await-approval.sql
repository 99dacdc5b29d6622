-- Destination $1 delivers approved plans only, and leads into another account than before: nothing is owed there until
-- a plan for it is approved, and what still waits, or was rejected and is owed, says so. What was fixed by hand stays
-- fixed. What a standing order bought needs no plan, and is sent unless its push has begun.
WITH needed AS (
  SELECT '{"code": "NEEDS_APPROVAL", "field": null,
    "message": "the destination leads into another account now. What to do: plan the order again, and push the plan by its hash"}'::jsonb AS error
),
forgotten AS (
  DELETE FROM deliver.record WHERE destination_id = $1 AND fixes IS NULL
),
fixed AS (
  UPDATE deliver.record SET state = 'rejected', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL,
    pushed_values = NULL, crm_id = NULL, attempts = 0, next_attempt_at = NULL, unconfirmed = NULL, recreate = false, fence = NULL,
    last_error = CASE WHEN state = 'rejected' AND last_error ->> 'code' IN ('WITHDRAWN', 'SUPPRESSED', 'RECALLED') THEN last_error
      ELSE needed.error END
  FROM needed WHERE destination_id = $1 AND fixes IS NOT NULL
),
waiting AS (
  UPDATE deliver.delivery SET state = 'pending', outcome = NULL, updated_at = now(), last_error = needed.error
  FROM needed
  WHERE destination_id = $1 AND (state IN ('pending', 'unknown')
    OR state = 'rejected' AND coalesce(last_error ->> 'code', '') NOT IN ('WITHDRAWN', 'SUPPRESSED', 'RECALLED'))
)
UPDATE deliver.push SET status = 'finished', finished_at = now()
WHERE destination_id = $1 AND status <> 'finished' AND (asked_by = 'request' OR enqueued_through IS NOT NULL)

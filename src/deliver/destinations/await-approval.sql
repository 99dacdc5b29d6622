-- Destination $1 delivers approved plans only, and leads into another account than before: nothing is owed there until
-- a plan for it is approved, and what still waits, or was rejected and is owed, says so. What a standing order bought
-- needs no plan, and is sent unless its push has begun.
WITH forgotten AS (
  DELETE FROM deliver.record WHERE destination_id = $1
),
waiting AS (
  UPDATE deliver.delivery SET state = 'pending', outcome = NULL, updated_at = now(),
    last_error = '{"code": "NEEDS_APPROVAL", "field": null,
      "message": "the destination leads into another account now. What to do: plan the order again, and push the plan by its hash"}'
  WHERE destination_id = $1 AND (state IN ('pending', 'unknown')
    OR state = 'rejected' AND coalesce(last_error ->> 'code', '') NOT IN ('WITHDRAWN', 'SUPPRESSED', 'RECALLED'))
)
UPDATE deliver.push SET status = 'finished', finished_at = now()
WHERE destination_id = $1 AND status <> 'finished' AND (asked_by = 'request' OR enqueued_through IS NOT NULL)

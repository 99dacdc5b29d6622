-- Every lead of order $2 stands in exactly one of these columns. Acknowledged rows that push $3 did not have to send are
-- unchanged; a row that is being sent counts as unknown until it is answered.
SELECT
  count(*) FILTER (WHERE state = 'acknowledged' AND push_id = $3 AND outcome = 'created')::int AS created,
  count(*) FILTER (WHERE state = 'acknowledged' AND push_id = $3 AND outcome = 'updated')::int AS updated,
  count(*) FILTER (WHERE state = 'acknowledged' AND (push_id IS DISTINCT FROM $3 OR outcome = 'unchanged'))::int AS unchanged,
  count(*) FILTER (WHERE state = 'rejected')::int AS rejected,
  count(*) FILTER (WHERE state = 'pending')::int AS pending,
  count(*) FILTER (WHERE state IN ('unknown', 'sending'))::int AS unknown
FROM deliver.delivery
WHERE destination_id = $1 AND order_id = $2

-- Settles records of destination $1 whose outcome was unknown, for the holder $2 of its lease, by what the CRM
-- reports that it holds ($3: external ids looked up, $4: found ones as {external_id, crm_id}). All of them are sent
-- again, which writes nothing if the record has our values already; the outcome of those found is known to be ours.
-- Each waits longer from the second time on: one that is found may be unanswered again and again, too.
WITH held AS (
  SELECT destination_id FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR SHARE
),
asked AS (
  SELECT r.destination_id, r.external_id, f.crm_id, f.external_id IS NOT NULL AS found
  FROM unnest($3::text[]) AS asked (external_id)
  JOIN held ON true
  JOIN deliver.record r ON r.destination_id = held.destination_id AND r.external_id = asked.external_id
  LEFT JOIN jsonb_to_recordset($4::jsonb) AS f (external_id text, crm_id text) ON f.external_id = asked.external_id
  WHERE r.state = 'unknown'
  ORDER BY r.external_id
  FOR UPDATE OF r
)
UPDATE deliver.record r SET
  state = 'pending',
  outcome = CASE WHEN NOT a.found THEN r.outcome WHEN r.acknowledged_at IS NULL THEN 'created' ELSE 'updated' END,
  crm_id = coalesce(a.crm_id, r.crm_id),
  next_attempt_at = CASE WHEN r.attempts > 1
    THEN clock_timestamp() + least(900, 2 ^ least(r.attempts, 12)) * interval '1 second' END,
  updated_at = now()
FROM asked a
WHERE r.destination_id = a.destination_id AND r.external_id = a.external_id

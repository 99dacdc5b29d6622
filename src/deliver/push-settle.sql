-- Settles rows of push $2 whose outcome was unknown, by what the CRM says it holds ($4: item ids asked, $5: found ones as
-- {item_id, crm_id}). All of them are sent again, which writes nothing where the record holds our values already; of
-- those found the outcome is known to be ours. Those missing wait longer each time and are rejected after $6 tries.
UPDATE deliver.delivery d SET
  state = CASE WHEN f.item_id IS NULL AND d.attempts >= $6 THEN 'rejected' ELSE 'pending' END,
  outcome = CASE
    WHEN f.item_id IS NULL THEN d.outcome
    WHEN EXISTS (SELECT FROM deliver.delivery o
      WHERE o.destination_id = d.destination_id AND o.external_id = d.external_id AND o.acknowledged_at IS NOT NULL)
    THEN 'updated' ELSE 'created' END,
  crm_id = coalesce(f.crm_id, d.crm_id),
  last_error = CASE WHEN f.item_id IS NULL AND d.attempts >= $6
    THEN jsonb_build_object('code', 'NEVER_ACKNOWLEDGED', 'field', NULL,
      'message', 'the CRM answered no attempt for this lead and does not hold it')
    ELSE d.last_error END,
  next_attempt_at = CASE WHEN f.item_id IS NULL AND d.attempts > 1
    THEN clock_timestamp() + least(300, 2 ^ d.attempts) * interval '1 second' END,
  updated_at = now()
FROM unnest($4::uuid[]) AS asked (item_id)
LEFT JOIN jsonb_to_recordset($5::jsonb) AS f (item_id uuid, crm_id text) USING (item_id)
WHERE d.destination_id = $1 AND d.item_id = asked.item_id AND d.push_id = $2 AND d.state = 'unknown'
  AND EXISTS (SELECT FROM deliver.push p WHERE p.push_id = $2 AND p.fence = $3)

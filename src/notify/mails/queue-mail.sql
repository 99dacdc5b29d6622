-- Queues the e-mail of type $2 with data $3 to account $1, about $4, due in $5 seconds, unless the account opted out. A
-- pending one absorbs later events: its `count`, `codes` and `records` add up, the rest is the newest. An event that
-- ends type $6 cancels the pending e-mail about that, and is itself not e-mailed if that was never attempted: a failed
-- attempt may have arrived. Nothing is queued for an erased account.
WITH untold AS (
  DELETE FROM deliver.mail m
  WHERE m.type = $6::text AND m.account_id = $1::uuid AND m.about = $4::text AND m.state = 'pending'
  RETURNING m.attempts
)
INSERT INTO deliver.mail AS m (account_id, type, about, data, next_attempt_at)
SELECT a.account_id, $2::text, $4::text, $3::jsonb, clock_timestamp() + $5::int * interval '1 second'
FROM access.account a
WHERE a.account_id = $1::uuid AND a.erased_at IS NULL
  AND NOT EXISTS (SELECT FROM deliver.mail_choice c WHERE c.account_id = a.account_id AND $2::text = ANY(c.unwanted))
  AND (SELECT coalesce(max(attempts), 1) FROM untold) > 0
ON CONFLICT (account_id, type, about) WHERE state = 'pending' AND attempts = 0 DO UPDATE SET
  data = m.data || EXCLUDED.data || CASE WHEN EXCLUDED.data ? 'count' THEN jsonb_build_object(
    'count', (m.data ->> 'count')::int + (EXCLUDED.data ->> 'count')::int,
    'codes', (SELECT jsonb_object_agg(code, rows) FROM (
      SELECT key AS code, sum(value::int) AS rows
      FROM (SELECT * FROM jsonb_each_text(m.data -> 'codes') UNION ALL SELECT * FROM jsonb_each_text(EXCLUDED.data -> 'codes')) AS told
      GROUP BY key) AS summed),
    'records', (SELECT coalesce(jsonb_agg(record), '[]') FROM (
      SELECT DISTINCT record FROM (SELECT jsonb_array_elements(m.data -> 'records') AS record
        UNION ALL SELECT jsonb_array_elements(EXCLUDED.data -> 'records')) AS both_of LIMIT 10) AS few)) ELSE '{}' END

-- The e-mail of type $2 with data $3 to the account of destination $1, about $4, due in $5 seconds, unless the account wants none.
-- One that waits unsent takes up what happens meanwhile: its `rejects` and `more` add up, the rest is the newest. A destination
-- that recovered before anybody was told that it broke is told of neither.
WITH owner AS (
  SELECT d.account_id, d.name FROM deliver.destination d
  WHERE d.destination_id = $1
    AND NOT EXISTS (SELECT FROM deliver.mail_choice c WHERE c.account_id = d.account_id AND $2::text = ANY(c.unwanted))
),
untold AS (
  DELETE FROM deliver.mail m USING owner
  WHERE $2::text = 'destination.recovered' AND m.account_id = owner.account_id AND m.type = 'destination.broken'
    AND m.about = $4::text AND m.state = 'pending' AND m.attempts = 0
  RETURNING 1
)
INSERT INTO deliver.mail AS m (account_id, type, about, data, next_attempt_at)
SELECT owner.account_id, $2::text, $4::text, $3::jsonb || jsonb_build_object('destination', owner.name),
  clock_timestamp() + $5::int * interval '1 second'
FROM owner WHERE NOT EXISTS (SELECT FROM untold)
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

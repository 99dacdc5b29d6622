-- What a page of a feed depends on: today in India, the grants of its account, and how many records it may return,
-- reserved from the day's budget. One statement for all waiting calls, so that a page costs one extra round trip.
-- Per call, in order of arrival: $1 accounts, $2 datasets, $3 records, $4 whether it is an enterprise, $5 the day's
-- budget (null: no limit), $6 the budget of one that has bought a feed. $7 days for which ended grants are returned.
--
-- Invariant: the records reserved in a day never exceed the budget. The counter's row is locked and its newest version
-- read, so N statements in any number of processes are exact; either all calls of an account get theirs, or none does
-- and each reserves for itself, as does one whose day has no counter yet. Rows are locked in the same order as in
-- admissions, so two statements cannot deadlock. A call with no grant in force reserves nothing. Usage need not survive
-- a crash of the machine: the commit does not wait for the disk.
WITH quick_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), batch AS MATERIALIZED (
  -- Read from here, the arrays have no length that the planner knows, so one plan serves all batches.
  SELECT $1::uuid[] AS accounts, $2::text[] AS datasets, $3::integer[] AS records, $4::boolean[] AS enterprises,
         $5::integer[] AS budgets, $6::integer[] AS bought
  FROM quick_commit
), call AS MATERIALIZED (
  SELECT c.n, c.account_id, c.dataset, c.records, c.is_enterprise,
         CASE WHEN c.budget IS DISTINCT FROM c.bought AND EXISTS (
                SELECT FROM access.entitlement e WHERE e.account_id = c.account_id AND /* buys */)
              THEN c.bought ELSE c.budget END AS most
  FROM batch, unnest(batch.accounts, batch.datasets, batch.records, batch.enterprises, batch.budgets, batch.bought)
         WITH ORDINALITY AS c (account_id, dataset, records, is_enterprise, budget, bought, n)
), granted AS MATERIALIZED (
  SELECT call.n AS place, g.* FROM call CROSS JOIN LATERAL (/* grants */) AS g
), open AS MATERIALIZED (
  SELECT n, account_id, most, sum(records) OVER (PARTITION BY account_id ORDER BY n) AS up_to FROM call
  WHERE is_enterprise OR EXISTS (SELECT FROM granted WHERE place = n AND granted."endedAt" IS NULL)
), wanted AS MATERIALIZED (
  SELECT account_id, max(up_to)::integer AS records, min(most) AS most FROM open GROUP BY account_id
), locked AS MATERIALIZED (
  SELECT d.account_id, wanted.records
  FROM wanted JOIN access.daily_usage d USING (account_id)
  WHERE d.kind = /* kind */ AND d.day = runtime.limit_day(now())
    AND (wanted.most IS NULL OR d.used::bigint + wanted.records <= wanted.most)
  ORDER BY d.account_id FOR NO KEY UPDATE OF d
), taken AS (
  UPDATE access.daily_usage d SET used = least(d.used::bigint + locked.records, 2147483647)::integer, taken = locked.records
  FROM locked WHERE d.account_id = locked.account_id AND d.kind = /* kind */ AND d.day = runtime.limit_day(now())
  RETURNING d.account_id, d.used, d.taken
)
SELECT call.n, call.most, taken.used - taken.taken + open.up_to AS used, /* clock */, runtime.indian_day(now()) AS today, place IS NOT NULL AS "isGrant", granted.*
FROM call
LEFT JOIN granted ON place = call.n
LEFT JOIN open ON open.n = call.n
LEFT JOIN taken ON taken.account_id = open.account_id
ORDER BY call.n, granted.starts_at, granted.entitlement_id

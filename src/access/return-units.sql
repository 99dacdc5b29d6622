-- Returns units of calls that did not use them: $1 accounts, $2 kinds, $3 UTC days, $4 how many, one entry per call.
-- Many refusals of one account would queue for its counter and delay admissions in the same batch, so they are returned
-- together. Rows are locked in the same order as in admissions. Usage need not survive a crash of the machine: the
-- commit does not wait for the disk. Units are returned once: the caller has forgotten them.
WITH quick_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), given AS MATERIALIZED (
  SELECT account_id, kind, day, sum(units)::integer AS units
  FROM quick_commit, unnest($1::uuid[], $2::text[], $3::date[], $4::integer[]) AS returned (account_id, kind, day, units)
  GROUP BY account_id, kind, day
), locked AS MATERIALIZED (
  SELECT d.account_id, d.kind, d.day, given.units
  FROM access.daily_usage d JOIN given USING (account_id, kind, day)
  ORDER BY d.account_id, d.kind, d.day FOR NO KEY UPDATE OF d
)
UPDATE access.daily_usage d SET used = greatest(d.used - locked.units, 0)
FROM locked WHERE d.account_id = locked.account_id AND d.kind = locked.kind AND d.day = locked.day

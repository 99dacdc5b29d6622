-- Stores what the vendor's headers reported on remote account $1: calls used ($2) and allowed ($3) today, for how
-- long no call may be made ($4, ms), and the pace of its windows as calls per second ($6) and burst ($7). A limit
-- without a number of calls used replaces the number before, which may be of another day. A later, milder report of
-- another worker never shortens a block.
INSERT INTO deliver.limiter AS l (remote_account, tokens, daily_used, daily_limit, daily_read_at, blocked_until,
  calls_per_second, burst)
VALUES ($1, $5::float8, $2::bigint, $3::bigint, CASE WHEN $3::bigint IS NOT NULL THEN clock_timestamp() END,
  clock_timestamp() + $4::float8 * interval '1 millisecond', $6::float8, $7::float8)
ON CONFLICT (remote_account) DO UPDATE SET
  daily_used = CASE WHEN EXCLUDED.daily_limit IS NULL THEN l.daily_used ELSE EXCLUDED.daily_used END,
  daily_limit = coalesce(EXCLUDED.daily_limit, l.daily_limit),
  daily_read_at = coalesce(EXCLUDED.daily_read_at, l.daily_read_at),
  calls_per_second = coalesce(EXCLUDED.calls_per_second, l.calls_per_second),
  burst = coalesce(EXCLUDED.burst, l.burst),
  blocked_until = greatest(EXCLUDED.blocked_until, l.blocked_until)

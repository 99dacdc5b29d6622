-- For how long remote account $1 takes no calls, in ms: because the vendor blocked it, or because its share $2 of the
-- day is used up.
SELECT greatest(
  extract(epoch FROM blocked_until - clock_timestamp())::float8 * 1000,
  CASE WHEN daily_used >= daily_limit * $2::float8
    THEN extract(epoch FROM daily_read_at + interval '15 minutes' - clock_timestamp())::float8 * 1000 END) AS "waitMs"
FROM deliver.limiter WHERE remote_account = $1

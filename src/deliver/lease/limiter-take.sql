-- Takes $3 calls from the bucket of remote account $1, or returns how long to wait. The bucket refills at $2 calls
-- per second and holds one second's worth, unless the vendor's headers set another pace. $4 is the share of the day's
-- quota that may be used. Workers queue on the row lock, so the bucket is never overdrawn. A daily reading counts for
-- 15 minutes; after that one call may fetch a new one.
WITH locked AS (
  SELECT l.*, coalesce(l.calls_per_second, $2::float8) AS pace,
    least(greatest(coalesce(l.burst, $2::float8), $3::float8), l.tokens
      + coalesce(l.calls_per_second, $2::float8) * greatest(0, extract(epoch FROM clock_timestamp() - l.refilled_at))::float8) AS filled
  FROM deliver.limiter l
  WHERE l.remote_account = $1
  FOR UPDATE
),
verdict AS (
  SELECT remote_account, filled, greatest(
    0::float8,
    extract(epoch FROM blocked_until - clock_timestamp())::float8 * 1000,
    CASE WHEN daily_used + $3::bigint > daily_limit * $4::float8
      THEN extract(epoch FROM daily_read_at + interval '15 minutes' - clock_timestamp())::float8 * 1000 END,
    CASE WHEN filled < $3::float8 THEN ($3::float8 - filled) / pace * 1000 END
  ) AS wait_ms
  FROM locked
)
UPDATE deliver.limiter l SET
  tokens = v.filled - CASE WHEN v.wait_ms <= 0 THEN $3::float8 ELSE 0 END,
  refilled_at = clock_timestamp(),
  daily_used = l.daily_used + CASE WHEN v.wait_ms <= 0 THEN $3::bigint ELSE 0 END
FROM verdict v
WHERE l.remote_account = v.remote_account
RETURNING v.wait_ms AS "waitMs"

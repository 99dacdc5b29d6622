-- Who is calling, may they, and what is left: one statement per call, so that a call costs one round trip before its own.
-- $1 session, $2 key id, $3 issued at, $4 expires at (seconds), $5 address, $6 burst limit,
-- $7 kind of daily limit or null, $8 daily limits by plan as jsonb (null: unlimited).
--
-- Invariant: a unit is taken only while fewer than the limit are used. ON CONFLICT DO UPDATE locks the row and
-- evaluates its WHERE on the newest version, so N parallel calls in any number of processes never pass the limit.
-- Usage need not survive a crash of the machine, so the commit does not wait for the disk.
WITH quick_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), caller AS MATERIALIZED (
  SELECT s.session_id, a.account_id, a.email, a.username, a.plan, a.is_enterprise,
         ($8::jsonb ->> a.plan)::integer AS daily_limit,
         CASE
           WHEN EXISTS (SELECT FROM access.blocked_address b WHERE b.address = $5) THEN 'address_blocked'
           WHEN a.suspended_at IS NOT NULL THEN 'suspended'
           WHEN s.revoked_at IS NOT NULL OR a.erased_at IS NOT NULL THEN 'revoked'
           WHEN to_timestamp($4) <= now() THEN 'expired'
           WHEN to_timestamp($3) > now() + interval '60 seconds' THEN 'revoked'
           WHEN NOT EXISTS (SELECT FROM access.signing_key k
                            WHERE k.kid = $2 AND (k.retired_at IS NULL OR k.retired_at > now() - interval '70 minutes'))
             THEN 'revoked'
           ELSE 'admitted'
         END AS verdict
  FROM quick_commit, access.session s JOIN access.account a USING (account_id)
  WHERE s.session_id = $1
), burst AS (
  INSERT INTO access.minute_usage AS m (account_id, minute, used)
  SELECT account_id, date_trunc('minute', now()), 1 FROM caller WHERE verdict = 'admitted'
  ON CONFLICT (account_id, minute) DO UPDATE SET used = m.used + 1 WHERE m.used < $6
  RETURNING used
), daily AS (
  INSERT INTO access.daily_usage AS d (account_id, kind, day, used)
  SELECT account_id, $7::text, (now() AT TIME ZONE 'UTC')::date, 1 FROM caller, burst
  WHERE $7::text IS NOT NULL AND (daily_limit IS NULL OR daily_limit > 0)
  ON CONFLICT (account_id, kind, day) DO UPDATE SET used = d.used + 1
    WHERE (SELECT daily_limit IS NULL OR d.used < daily_limit FROM caller)
  RETURNING used
)
SELECT caller.verdict, caller.session_id AS "sessionId", caller.account_id AS "accountId", caller.email,
       caller.username, caller.plan, caller.is_enterprise AS "isEnterprise", caller.daily_limit AS "dailyLimit",
       (SELECT used FROM burst) AS "burstUsed",
       (SELECT used FROM daily) AS "dailyUsed",
       date_trunc('minute', now()) + interval '1 minute' AS "burstResetAt",
       (now() AT TIME ZONE 'UTC')::date AS day,
       (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC' AS "dailyResetAt",
       now() AS now
FROM caller

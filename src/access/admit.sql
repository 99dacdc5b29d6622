-- Admits calls: who is calling, whether they may, and what is left of their limits. One statement for all waiting
-- calls, so that a call costs one extra round trip and calls of one account do not queue for the rows of its counters.
-- Per call, in order of arrival: $1 sessions, $2 key IDs (null: a browser session, which has no signature), $3 issued
-- at, $4 expires at (seconds), $5 addresses (null: not known), $6 kinds of daily limit or null. $7 burst limit, $8
-- daily limits by plan and kind as jsonb (null: unlimited).
--
-- Invariant: never more units are taken than are left. ON CONFLICT DO UPDATE locks the counter's row and reads its
-- newest version, so N concurrent calls in any number of processes never exceed the limit; `taken` says how many of the
-- requested units there were, and the earlier calls get them. Rows are locked in the order of accounts, so two
-- statements cannot deadlock. Usage need not survive a crash of the machine: the commit does not wait for the disk.
WITH quick_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), batch AS MATERIALIZED (
  -- Read from here, the arrays have no length that the planner knows, so one plan serves all batches.
  SELECT $1::uuid[] AS sessions, $2::text[] AS kids, $3::bigint[] AS issued, $4::bigint[] AS expires,
         $5::inet[] AS addresses, $6::text[] AS kinds
  FROM quick_commit
), call AS MATERIALIZED (
  SELECT c.n, c.kind, s.session_id, s.api_key_id, s.viewer_id, s.viewer_name, s.scopes, m.person_id, m.name AS person_name, m.email AS person_email, m.role AS person_role,
         a.second_factor_required AND s.person_id IS NOT NULL AND NOT EXISTS (
           SELECT FROM access.person_totp t WHERE t.person_id = s.person_id AND t.confirmed_at IS NOT NULL) AS must_add_factor, k.standing_order_id, a.account_id, a.email, a.username, p.plan, a.is_enterprise,
         ($8::jsonb -> p.plan ->> c.kind)::integer AS daily_limit,
         CASE
           WHEN EXISTS (SELECT FROM access.blocked_address b WHERE b.refused >>= c.address) THEN 'address_blocked'
           WHEN a.suspended_at IS NOT NULL THEN 'suspended'
           WHEN s.revoked_at IS NOT NULL OR s.expires_at <= now() OR a.erased_at IS NOT NULL OR m.removed_at IS NOT NULL THEN 'revoked'
           WHEN to_timestamp(c.expires_at) <= now() THEN 'expired'
           WHEN to_timestamp(c.issued_at) > now() + interval '60 seconds' THEN 'revoked'
           WHEN c.kid IS NOT NULL AND NOT EXISTS (SELECT FROM access.signing_key k
                            WHERE k.kid = c.kid AND (k.retired_at IS NULL OR k.retired_at > now() - interval '70 minutes'))
             THEN 'revoked'
           ELSE 'admitted'
         END AS verdict
  FROM batch, unnest(batch.sessions, batch.kids, batch.issued, batch.expires, batch.addresses, batch.kinds)
         WITH ORDINALITY AS c(session_id, kid, issued_at, expires_at, address, kind, n)
  JOIN access.session s ON s.session_id = c.session_id
  JOIN access.account a ON a.account_id = s.account_id
  LEFT JOIN access.api_key k ON k.api_key_id = s.api_key_id
  LEFT JOIN access.person m ON m.person_id = s.person_id
  CROSS JOIN LATERAL (SELECT CASE WHEN a.premium_until > now() THEN 'premium' ELSE a.plan END AS plan) AS p
), numbered AS MATERIALIZED (
  SELECT n, account_id, kind, daily_limit, row_number() OVER (PARTITION BY account_id ORDER BY n) AS place
  FROM call WHERE verdict = 'admitted'
), burst AS (
  INSERT INTO access.minute_usage AS m (account_id, minute, used, taken)
  SELECT account_id, date_trunc('minute', now()), least(count(*), $7::integer), least(count(*), $7::integer)
  FROM numbered GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id, minute) DO UPDATE
    SET used = least(m.used + excluded.used, $7::integer), taken = least(excluded.used, $7::integer - m.used)
    WHERE m.used < $7::integer
  RETURNING account_id, used, taken
), passed AS MATERIALIZED (
  SELECT n, account_id, kind, daily_limit, burst.used - burst.taken + place AS burst_used,
         row_number() OVER (PARTITION BY account_id, kind ORDER BY n) AS place
  FROM numbered JOIN burst USING (account_id) WHERE place <= burst.taken
), daily AS (
  INSERT INTO access.daily_usage AS d (account_id, kind, day, used, taken)
  SELECT account_id, kind, runtime.limit_day(now()), least(count(*), daily_limit), least(count(*), daily_limit)
  FROM passed WHERE kind IS NOT NULL AND (daily_limit IS NULL OR daily_limit > 0)
  GROUP BY account_id, kind, daily_limit ORDER BY account_id, kind
  ON CONFLICT (account_id, kind, day) DO UPDATE
    SET (used, taken) = (
      SELECT least(d.used + excluded.used, p.daily_limit), least(excluded.used, p.daily_limit - d.used)
      FROM passed p WHERE p.account_id = d.account_id AND p.kind = d.kind LIMIT 1)
    WHERE (SELECT p.daily_limit IS NULL OR d.used < p.daily_limit
           FROM passed p WHERE p.account_id = d.account_id AND p.kind = d.kind LIMIT 1)
  RETURNING account_id, kind, used, taken
)
SELECT call.n, call.verdict, call.session_id AS "sessionId", call.api_key_id AS "apiKeyId", call.viewer_id AS "viewerId", call.viewer_name AS "viewerName",
       call.person_id AS "personId", call.person_name AS "personName", call.person_email AS "personEmail", call.person_role AS "personRole",
       call.must_add_factor AS "mustAddSecondFactor", call.scopes, call.standing_order_id AS "standingOrderId", call.account_id AS "accountId", call.email,
       call.username, call.plan, call.is_enterprise AS "isEnterprise", call.daily_limit AS "dailyLimit",
       passed.burst_used AS "burstUsed", daily.used - daily.taken + passed.place AS "dailyUsed",
       extract(epoch FROM now()) * 1000 AS "nowMs"
FROM call
LEFT JOIN passed ON passed.n = call.n
LEFT JOIN daily ON daily.account_id = passed.account_id AND daily.kind = passed.kind AND passed.place <= daily.taken

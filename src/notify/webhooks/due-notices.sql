-- Leases up to $1 due notices for a minute. Each account and each host may have $2 at a time, including those in
-- progress ($3 by account, $4 by host); the one with the fewest in progress comes first. A host that failed $5 times in
-- a row is skipped while it is paused, and then tried with one notice.
WITH ready AS (
  SELECT n.event_id, n.webhook_id, n.next_attempt_at, w.account_id, coalesce(w.host, w.webhook_id::text) AS host,
    coalesce(r.failures >= $5::integer, false) AS tried
  FROM deliver.webhook w
  JOIN access.account a ON a.account_id = w.account_id AND a.suspended_at IS NULL AND a.erased_at IS NULL
  LEFT JOIN deliver.receiver r ON r.host = coalesce(w.host, w.webhook_id::text)
  CROSS JOIN LATERAL (
    SELECT event_id, webhook_id, next_attempt_at FROM deliver.notice
    WHERE notice.webhook_id = w.webhook_id AND state = 'pending' AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at LIMIT $2::integer
  ) n
  WHERE w.removed_at IS NULL AND (r.paused_until IS NULL OR r.paused_until <= clock_timestamp())
), ranked AS (
  SELECT ready.*,
    row_number() OVER (PARTITION BY account_id ORDER BY next_attempt_at, event_id, webhook_id)
      + (SELECT count(*) FROM unnest($3::uuid[]) AS busy WHERE busy = account_id) AS of_account,
    row_number() OVER (PARTITION BY host ORDER BY next_attempt_at, event_id, webhook_id)
      + (SELECT count(*) FROM unnest($4::text[]) AS busy WHERE busy = host) AS of_host
  FROM ready
), due AS (
  SELECT n.event_id, n.webhook_id FROM ranked JOIN deliver.notice n USING (event_id, webhook_id)
  WHERE of_account <= $2 AND of_host <= CASE WHEN tried THEN 1 ELSE $2 END
    AND n.state = 'pending' AND n.next_attempt_at <= clock_timestamp()
  ORDER BY of_account, ranked.next_attempt_at LIMIT $1 FOR UPDATE OF n SKIP LOCKED
)
UPDATE deliver.notice n SET attempts = n.attempts + 1, next_attempt_at = clock_timestamp() + interval '1 minute'
FROM due JOIN deliver.webhook w USING (webhook_id) JOIN deliver.event e USING (event_id)
WHERE n.event_id = due.event_id AND n.webhook_id = due.webhook_id
RETURNING n.event_id AS "eventId", n.webhook_id AS "webhookId", w.account_id AS "accountId",
  coalesce(w.host, w.webhook_id::text) AS host, w.url, w.secret_encrypted AS secret, e.type, e.data,
  e.created_at AS "createdAt", n.attempts, e.is_test AS "isTest"

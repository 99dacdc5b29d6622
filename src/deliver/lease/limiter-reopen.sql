-- Lets destination $1 call its CRM again: a person asked for a retry, and a used-up quota may have been lifted. If it
-- was not, the next answer blocks the account again. A wait of at most a minute is the pace of a window, and stays.
-- The account is named as in open-destination.ts.
UPDATE deliver.limiter l SET
  daily_read_at = NULL,
  blocked_until = CASE WHEN l.blocked_until <= clock_timestamp() + interval '1 minute' THEN l.blocked_until END
FROM deliver.destination d
WHERE d.destination_id = $1
  AND l.remote_account IN (d.connector || ':' || d.verified_account, d.account_id || '/' || d.remote_account)

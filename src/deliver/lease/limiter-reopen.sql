-- Lets destination $1 ask its CRM anew: a person wants another try, and a quota that was used up may be lifted by now. The next
-- answer shuts the account again where it is not. A wait of a minute at most is the pace of a window, and stays. The account
-- is named as in open-destination.ts.
UPDATE deliver.limiter l SET
  daily_read_at = NULL,
  blocked_until = CASE WHEN l.blocked_until <= clock_timestamp() + interval '1 minute' THEN l.blocked_until END
FROM deliver.destination d
WHERE d.destination_id = $1
  AND l.remote_account IN (d.connector || ':' || d.verified_account, d.account_id || '/' || d.remote_account)

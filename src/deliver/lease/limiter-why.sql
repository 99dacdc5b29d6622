-- Why remote account $1 takes no calls now, in the vendor's words, from the destination that met the quota. Such a
-- failure does not count (failures = 0); the failures of other destinations come from the limiter and not from the
-- vendor.
SELECT d.failure ->> 'message' AS why
FROM deliver.destination d
WHERE d.connector || ':' || d.verified_account = $1 AND d.failures = 0 AND d.retry_at > clock_timestamp()
  AND NOT starts_with(d.failure ->> 'message', 'Panji')
ORDER BY d.failure ->> 'at' DESC
LIMIT 1

-- Why remote account $1 takes no calls now, in the vendor's words: as the destination heard them that met its quota. Such a failure counts
-- as none; what others heard of the limiter alone is no word of the vendor's.
SELECT d.failure ->> 'message' AS why
FROM deliver.destination d
WHERE d.connector || ':' || d.verified_account = $1 AND d.failures = 0 AND d.retry_at > clock_timestamp()
  AND NOT starts_with(d.failure ->> 'message', 'Panji')
ORDER BY d.failure ->> 'at' DESC
LIMIT 1

-- Updates requested for the fresh destinations of account $1, from day $2 to day $3, each at time $4 in India.
SELECT d.destination_id, d.name,
  count(*) FILTER (WHERE r.state = 'acknowledged')::int AS updated,
  count(*) FILTER (WHERE r.state = 'rejected')::int AS rejected,
  count(*) FILTER (WHERE r.state IN ('pending', 'sending', 'unknown'))::int AS waiting
FROM deliver.destination d
JOIN deliver.record r ON r.destination_id = d.destination_id
  AND r.refreshed_at >= ($2::date + $4::time) AT TIME ZONE 'Asia/Kolkata'
  AND r.refreshed_at < ($3::date + $4::time) AT TIME ZONE 'Asia/Kolkata'
WHERE d.account_id = $1 AND d.keep = 'fresh' AND d.status <> 'removed'
GROUP BY d.destination_id, d.name
ORDER BY d.name

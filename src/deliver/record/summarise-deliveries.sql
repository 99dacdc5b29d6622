-- For each destination of account $1, including those without a delivery: the deliveries of the last $2 days in India
-- by day; rejections by reason; fields that records were accepted without in those days and still lack; and what
-- waits, how much of it for a person (code $3), with the earliest retry. Of a removed destination only the days are
-- left: nothing is sent there any more.
SELECT o.destination_id,
  coalesce((
    SELECT jsonb_agg(to_jsonb(listed) ORDER BY listed.day) FROM (
      SELECT by_day.day, count(d.item_id) FILTER (WHERE d.state = 'acknowledged') AS delivered,
             count(d.item_id) FILTER (WHERE d.state = 'rejected') AS rejected
      FROM (SELECT runtime.indian_day(now()) - back AS day FROM generate_series(0, $2::integer - 1) AS back) AS by_day
      LEFT JOIN deliver.delivery d ON d.destination_id = o.destination_id
        AND d.updated_at >= runtime.indian_midnight(runtime.indian_day(now()) - $2::integer + 1)
        AND runtime.indian_day(d.updated_at) = by_day.day
      GROUP BY by_day.day) AS listed), '[]') AS days,
  coalesce((
    SELECT jsonb_agg(to_jsonb(listed) ORDER BY listed.records DESC, listed.code, listed.field) FROM (
      SELECT d.last_error ->> 'code' AS code, d.last_error ->> 'field' AS field,
             min(d.last_error ->> 'message') AS message, count(*) AS records
      FROM deliver.delivery d
      WHERE d.destination_id = o.destination_id AND d.state = 'rejected' AND o.status <> 'removed'
      GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 20) AS listed), '[]') AS rejected,
  coalesce((
    SELECT jsonb_agg(to_jsonb(listed) ORDER BY listed.records DESC, listed.field) FROM (
      SELECT r.last_error ->> 'field' AS field, min(r.last_error ->> 'message') AS message,
             count(DISTINCT r.external_id) AS records
      FROM deliver.delivery d JOIN deliver.record r USING (destination_id, external_id)
      WHERE d.destination_id = o.destination_id AND o.status <> 'removed'
        AND d.state = 'acknowledged' AND d.last_error IS NOT NULL
        AND r.state = 'acknowledged' AND r.last_error IS NOT NULL
        AND d.updated_at >= runtime.indian_midnight(runtime.indian_day(now()) - $2::integer + 1)
      GROUP BY 1 ORDER BY 3 DESC LIMIT 20) AS listed), '[]') AS left_out,
  waiting.records AS waiting, waiting.undecided, waiting.next_attempt_at
FROM deliver.destination o
CROSS JOIN LATERAL (
  SELECT count(*) AS records, count(*) FILTER (WHERE d.last_error ->> 'code' = $3) AS undecided,
         min(greatest(o.retry_at, d.next_attempt_at)) FILTER (WHERE o.status IN ('active', 'broken')) AS next_attempt_at
  FROM deliver.delivery d
  WHERE d.destination_id = o.destination_id AND d.state IN ('pending', 'sending', 'unknown') AND o.status <> 'removed') AS waiting
WHERE o.account_id = $1 AND o.former_of IS NULL
ORDER BY o.created_at, o.destination_id

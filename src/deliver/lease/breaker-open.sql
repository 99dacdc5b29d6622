-- Records failure $3 of destination $1, for the holder $2 of its lease: no call is made for $4 ms or, if that is
-- null, for $5 s doubled with each failure in a row up to $6 s. From failure $7 on it is broken; $8 is 0 for a
-- failure that does not count.
WITH before AS (
  SELECT destination_id, status, failures + $8::int AS failures
  FROM deliver.destination WHERE destination_id = $1 AND leased_to = $2 FOR NO KEY UPDATE
)
UPDATE deliver.destination d SET
  failures = b.failures,
  failure = $3::jsonb || jsonb_build_object('at', now()),
  retry_at = clock_timestamp() + interval '1 second' * coalesce($4::float8 / 1000,
    least($6::float8, $5::float8 * 2 ^ least(20, b.failures - 1)) * (0.8 + 0.4 * random())),
  status = CASE WHEN b.status = 'active' AND b.failures >= $7::int THEN 'broken' ELSE b.status END,
  status_reason = CASE WHEN b.status IN ('active', 'broken') AND b.failures >= $7::int THEN $3::jsonb ->> 'message'
    ELSE d.status_reason END,
  broken_told_at = CASE WHEN b.status = 'active' AND b.failures >= $7::int THEN now() ELSE d.broken_told_at END
FROM before b
WHERE d.destination_id = b.destination_id
RETURNING b.status = 'active' AND d.status = 'broken' AS opened

-- Writes an operator's schedule, or over the one that he had: false where the name is of one that ships with Panji. Slots
-- that another time table would have had before are not caught up.
CREATE OR REPLACE FUNCTION runtime.keep_schedule(
  by_name text, at_cron text, in_zone text, of_job text, with_payload jsonb) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH kept AS (
    INSERT INTO runtime.schedule AS s (name, cron, timezone, job, payload, origin)
    VALUES (by_name, at_cron, in_zone, of_job, with_payload, 'operator')
    ON CONFLICT (name) DO UPDATE SET cron = excluded.cron, timezone = excluded.timezone, job = excluded.job,
      payload = excluded.payload,
      settled_at = CASE WHEN (s.cron, s.timezone) = (excluded.cron, excluded.timezone) THEN s.settled_at ELSE now() END
    WHERE s.origin = 'operator'
    RETURNING 1)
  SELECT EXISTS (SELECT FROM kept)
$$;

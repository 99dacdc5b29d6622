-- The schedules as requests may see them: without what of an address is sealed.
CREATE OR REPLACE FUNCTION runtime.tell_schedules() RETURNS TABLE (
  name text, cron text, timezone text, job text, payload jsonb, origin text, paused_at timestamptz, created_at timestamptz,
  last_slot timestamptz, settled_at timestamptz, ran_at timestamptz) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.name, s.cron, s.timezone, s.job, s.payload - 'sealed', s.origin, s.paused_at, s.created_at, s.last_slot,
    s.settled_at, s.ran_at
  FROM runtime.schedule s ORDER BY s.name
$$;

-- Removes an operator's schedule: false where there is none of the name, or it ships with Panji and would come back.
CREATE OR REPLACE FUNCTION runtime.remove_schedule(by_name text) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH removed AS (DELETE FROM runtime.schedule s WHERE s.name = by_name AND s.origin = 'operator' RETURNING 1)
  SELECT EXISTS (SELECT FROM removed)
$$;

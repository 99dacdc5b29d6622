-- Stops the slots of a schedule, or lets them come again: those that passed meanwhile were not missed.
CREATE OR REPLACE FUNCTION runtime.pause_schedule(by_name text, paused boolean) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE runtime.schedule s
  SET paused_at = CASE WHEN paused THEN now() END, settled_at = CASE WHEN paused THEN s.settled_at ELSE now() END
  WHERE s.name = by_name AND (s.paused_at IS NULL) = paused
$$;

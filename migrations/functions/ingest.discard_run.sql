-- Ends a run that waits, with nothing applied; what was decided stays with it.
CREATE OR REPLACE FUNCTION ingest.discard_run(of_run bigint, decided jsonb) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH discarded AS (
    UPDATE ingest.run SET status = 'discarded', finished_at = now(), decision = decided
    WHERE run_id = of_run AND status = 'needs_approval' RETURNING 1)
  SELECT EXISTS (SELECT FROM discarded)
$$;

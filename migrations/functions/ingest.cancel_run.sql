-- Ends a run that has not ended, with nothing applied: a higher attempt number keeps its attempt from writing any more.
-- `waits` is false for callers who leave a run to the worker whose step holds its row; they get null then.
CREATE OR REPLACE FUNCTION ingest.cancel_run(of_run bigint, why jsonb, waits boolean) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT waits THEN
    PERFORM FROM ingest.run WHERE run_id = of_run FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  UPDATE ingest.run SET status = 'cancelled', attempt = attempt + 1, finished_at = now(), error = why, progress = '{}'
  WHERE run_id = of_run AND status IN ('queued', 'fetching', 'staging', 'checking', 'merging', 'needs_approval');
  RETURN FOUND;
END $$;

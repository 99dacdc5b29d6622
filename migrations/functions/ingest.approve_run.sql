-- What operators decide over HTTP about a run, each as one function: requests change no run by themselves. An approval holds
-- as long as no other run of its partitions has a later turn than `at_turn`. What was decided, by whom and why stays with the run.
CREATE OR REPLACE FUNCTION ingest.approve_run(of_run bigint, at_turn bigint, decided jsonb) RETURNS boolean LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH approved AS (
    UPDATE ingest.run SET status = 'queued', approved_at = now(), approved_turn = at_turn, decision = decided, error = NULL
    WHERE run_id = of_run AND status = 'needs_approval' RETURNING 1)
  SELECT EXISTS (SELECT FROM approved)
$$;

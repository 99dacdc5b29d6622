-- Writes the row of a run that takes another back: null where that one was not applied.
CREATE OR REPLACE FUNCTION ingest.ask_undo(of_run bigint, on_day date, by_whom text, wish jsonb) RETURNS bigint LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO ingest.run (source, input, mode, as_of, status, requested_by, undo)
  SELECT source, 'undo of run ' || run_id, 'delta', on_day, 'queued', by_whom, wish
  FROM ingest.run WHERE run_id = of_run AND status = 'succeeded'
  RETURNING run_id
$$;

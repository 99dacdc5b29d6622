-- Writes the row of a run that waits for its job: whoever may ask for one changes no run by it.
CREATE OR REPLACE FUNCTION ingest.ask_run(
  of_source text, from_input text, by_mode text, on_day date, by_force boolean, by_whom text, from_folder text,
  sealed text, is_dry boolean, by_columns jsonb DEFAULT NULL) RETURNS bigint LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO ingest.run (source, input, mode, as_of, force, status, requested_by, drop_folder, sealed_input, dry_run, column_map)
  VALUES (of_source, from_input, by_mode, coalesce(on_day, runtime.indian_day(now())), by_force, 'queued', by_whom,
          from_folder, sealed, is_dry, by_columns)
  RETURNING run_id
$$;

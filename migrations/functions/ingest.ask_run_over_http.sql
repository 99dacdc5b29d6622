-- Writes the row of a run that an operator asks for over HTTP: of an address, or of an upload in its folder, and of no other
-- path. Whether that folder is the one of uploads, the worker looks as it opens the file.
CREATE OR REPLACE FUNCTION ingest.ask_run_over_http(
  of_source text, from_input text, by_mode text, on_day date, by_force boolean, by_whom text, sealed text, is_dry boolean,
  by_columns jsonb DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  asked bigint;
BEGIN
  IF from_input !~* '^https?://'
    AND (from_input !~ '/spool/uploads/[0-9a-f-]{36}/[^/]+$' OR from_input ~ '(^|/)\.{1,2}/') THEN
    RAISE EXCEPTION 'over HTTP a run reads an upload or an address, and no other path' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF by_whom !~ '^operator(:|$)' THEN
    RAISE EXCEPTION 'over HTTP an operator asks for a run' USING ERRCODE = 'insufficient_privilege';
  END IF;
  asked := ingest.ask_run(of_source, from_input, by_mode, on_day, by_force, by_whom, NULL, sealed, is_dry, by_columns);
  UPDATE ingest.run SET over_http = true WHERE run_id = asked;
  RETURN asked;
END $$;

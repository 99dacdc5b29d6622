-- Writes an operator's schedule as runtime.keep_schedule does, over the folder that another schedule looks into, for whoever may name no
-- path of the machine: it stays as a terminal named it, and so does the mode of its files.
CREATE OR REPLACE FUNCTION runtime.keep_folder_schedule(
  by_name text, at_cron text, in_zone text, of_source text, folder_of text) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  folder text;
  mode jsonb;
BEGIN
  SELECT s.payload ->> 'input', s.payload -> 'mode' INTO folder, mode FROM runtime.schedule s WHERE s.name = folder_of AND s.job = 'fetch-source';
  IF folder IS NULL OR folder ~* '^https?://' THEN
    RAISE EXCEPTION 'over HTTP a schedule reads no path but that of another schedule' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN runtime.keep_schedule(by_name, at_cron, in_zone, 'fetch-source',
    jsonb_strip_nulls(jsonb_build_object('source', of_source, 'input', folder, 'mode', mode)));
END $$;

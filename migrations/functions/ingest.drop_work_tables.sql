-- Drops tables that a run worked in, of the kinds that are named; those that are gone already are passed over.
CREATE OR REPLACE FUNCTION ingest.drop_work_tables(of_run bigint, kinds text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  names text;
BEGIN
  SELECT string_agg(format('ingest.%I', kind || '_' || of_run), ', ') INTO names
  FROM unnest(kinds) AS kind WHERE kind IN ('contents', 'stage', 'lines', 'unmatched', 'checked');
  IF names IS NOT NULL THEN EXECUTE format('DROP TABLE IF EXISTS %s', names); END IF;
END $$;

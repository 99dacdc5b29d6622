-- Makes one of the tables that a run works in. It belongs to the owner and the worker fills it, so that the worker, who may
-- make no table, can hang no policy, trigger or default on one that somebody else reads. Columns are of the server's own types.
CREATE OR REPLACE FUNCTION ingest.make_work_table(kind text, of_run bigint, columns text[], types text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  name CONSTANT text := format('ingest.%I', kind || '_' || of_run);
  declared text;
BEGIN
  IF kind NOT IN ('contents', 'stage', 'lines', 'unmatched', 'checked') OR of_run < 0 OR of_run IS NULL OR kind IS NULL THEN
    RAISE EXCEPTION 'no run works in a table %', name USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM unnest(types) AS wanted WHERE NOT EXISTS (
      SELECT FROM pg_type WHERE oid = to_regtype(wanted) AND typnamespace = 'pg_catalog'::regnamespace)) THEN
    RAISE EXCEPTION 'a column of % is of a type that is not the server''s own', name USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT string_agg(format('%I %s', wanted.col, to_regtype(wanted.type)), ', ' ORDER BY place) INTO declared
  FROM unnest(columns, types) WITH ORDINALITY AS wanted(col, type, place);
  IF kind = 'stage' THEN
    declared := 'ordinal bigint GENERATED ALWAYS AS IDENTITY (CACHE 1000), ' || declared;
  END IF;
  EXECUTE format('CREATE UNLOGGED TABLE %s (%s) WITH (autovacuum_enabled = off)', name, declared);
  -- A file whose every other row is rejected has half as many offsets as rows; check looks one up per reject.
  IF kind = 'lines' THEN EXECUTE format('CREATE INDEX ON %s (ordinal)', name); END IF;
  IF to_regrole('panji_worker') IS NOT NULL THEN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO panji_worker', name);
  END IF;
END $$;

-- Tells the planner of what a run has just written: a register, a reference list, the vocabulary, or a table that it works in.
CREATE OR REPLACE FUNCTION ingest.gather_statistics(of_table text, columns text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  written regclass;
  listed CONSTANT text := (SELECT string_agg(quote_ident(col), ', ') FROM unnest(columns) AS col);
BEGIN
  SELECT c.oid INTO written FROM pg_class c
  WHERE c.oid = to_regclass(of_table) AND c.relkind IN ('r', 'p') AND (
    c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('registry', 'reference'))
    OR c.relnamespace = 'ingest'::regnamespace AND c.relname ~ '^(alias|(contents|stage|lines|unmatched|checked)_[0-9]+)$');
  IF written IS NULL THEN
    RAISE EXCEPTION '% is no table of a run', of_table USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('ANALYZE %s %s', written, '(' || listed || ')');
END $$;

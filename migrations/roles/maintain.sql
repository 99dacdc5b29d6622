-- After the grants, what depends on the server: from PostgreSQL 17 on the worker may vacuum the registers that it has filled;
-- before, autovacuum does. The tables of runs that wait since a release that gave them to the worker are the worker's to fill still.
DO $$
DECLARE
  table_name regclass;
BEGIN
  FOR table_name IN
    SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND current_setting('server_version_num')::integer >= 170000
      AND relnamespace::regnamespace::text IN ('registry', 'reference')
      AND (has_table_privilege('panji_worker', oid, 'DELETE') OR relispartition)
  LOOP
    EXECUTE format('GRANT MAINTAIN ON %s TO panji_worker', table_name);
  END LOOP;
  FOR table_name IN
    SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'ingest'::regnamespace
      AND relname ~ '^(contents|stage|lines|unmatched|checked)_[0-9]+$' AND NOT has_table_privilege('panji_worker', oid, 'DELETE')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO panji_worker', table_name);
  END LOOP;
END $$;

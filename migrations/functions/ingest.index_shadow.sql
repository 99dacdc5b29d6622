-- Builds the indexes of a register over its shadow table, under names of their own until it takes the register's place.
CREATE OR REPLACE FUNCTION ingest.index_shadow(of_register text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  shadow CONSTANT regclass := to_regclass(of_register || '_aside');
  found record;
BEGIN
  IF shadow IS NULL OR shadow::oid NOT IN (
      SELECT oid FROM pg_class WHERE relnamespace::regnamespace::text IN ('registry', 'reference')) THEN
    RAISE EXCEPTION '% has no shadow table', of_register USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOR found IN
    SELECT row_number() OVER (ORDER BY indexrelid::regclass::text) - 1 AS place, indisunique,
           substring(pg_get_indexdef(indexrelid) FROM ' USING .*$') AS method
    FROM pg_index WHERE indrelid = to_regclass(of_register) ORDER BY 1
  LOOP
    EXECUTE format('CREATE %sINDEX aside_%s ON %s%s', CASE WHEN found.indisunique THEN 'UNIQUE ' END, found.place, shadow,
                   found.method);
  END LOOP;
END $$;

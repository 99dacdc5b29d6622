-- Drops the shadow table of a register whose readers left it no place.
CREATE OR REPLACE FUNCTION ingest.drop_shadow(of_register text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  shadow CONSTANT regclass := to_regclass(of_register || '_aside');
BEGIN
  IF shadow IS NULL OR shadow::oid NOT IN (
      SELECT oid FROM pg_class WHERE relnamespace::regnamespace::text IN ('registry', 'reference')) THEN
    RAISE EXCEPTION '% has no shadow table', of_register USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('DROP TABLE %s', shadow);
END $$;

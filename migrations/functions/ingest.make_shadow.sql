-- Makes the shadow table of an empty register, without indexes: the first load fills it, and it takes the register's place.
CREATE OR REPLACE FUNCTION ingest.make_shadow(of_register text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  register regclass;
  options text;
BEGIN
  SELECT c.oid, ' WITH (' || array_to_string(c.reloptions, ', ') || ')' INTO register, options FROM pg_class c
  WHERE c.oid = to_regclass(of_register) AND c.relkind = 'r' AND NOT c.relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgfoid NOT IN (to_regproc('feed.count_changes'), to_regproc('ingest.write_insert')))
    AND c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('registry', 'reference'));
  IF register IS NULL THEN
    RAISE EXCEPTION '% is no register that a first load may replace', of_register USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('CREATE TABLE %s_aside (LIKE %s INCLUDING ALL EXCLUDING INDEXES)%s', register, register, options);
  IF to_regrole('panji_worker') IS NOT NULL THEN
    EXECUTE format('GRANT SELECT, INSERT ON %s_aside TO panji_worker', register);
  END IF;
END $$;

-- Gives the shadow table the place of its register, which must be empty still: its names, rights, views, indexes and the
-- triggers that count it. The caller holds the lock that keeps readers out, which is a matter of milliseconds.
CREATE OR REPLACE FUNCTION ingest.swap_shadow(of_register text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  register CONSTANT regclass := to_regclass(of_register);
  shadow CONSTANT regclass := to_regclass(of_register || '_aside');
  space text;
  bare text;
  holder text;
  is_filled boolean;
  rights text[];
  views text[];
  indexes text[];
  triggers text[];
  statement text;
BEGIN
  SELECT quote_ident(nspname), relname, quote_ident(pg_get_userbyid(relowner)) INTO space, bare, holder
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = register AND nspname IN ('registry', 'reference');
  IF shadow IS NULL OR bare IS NULL THEN
    RAISE EXCEPTION '% has no shadow table', of_register USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %s)', register) INTO is_filled;
  IF is_filled THEN RAISE EXCEPTION '% is not empty', of_register USING ERRCODE = 'object_in_use'; END IF;
  SELECT array_agg(format('GRANT %s ON %s.%I TO %s', acl.privilege_type, space, bare,
           CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END)) INTO rights
  FROM pg_class c, aclexplode(c.relacl) AS acl WHERE c.oid = register AND acl.grantee <> c.relowner;
  SELECT array_agg(format('CREATE OR REPLACE VIEW %s AS %s', name, definition)) INTO views FROM (
    SELECT DISTINCT v.oid::regclass::text AS name, pg_get_viewdef(v.oid) AS definition
    FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
      JOIN pg_class v ON v.oid = r.ev_class
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = register AND v.relkind = 'v') AS found;
  SELECT array_agg(line ORDER BY place, step) INTO indexes FROM (
    SELECT row_number() OVER (ORDER BY i.indexrelid::regclass::text) - 1 AS place, named.relname, k.conname
    FROM pg_index i JOIN pg_class named ON named.oid = i.indexrelid
      LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype = 'p' WHERE i.indrelid = register) AS index,
    LATERAL (VALUES (1, format('ALTER INDEX %s.aside_%s RENAME TO %I', space, place, relname)),
      (2, 'ALTER TABLE ' || space || '.' || quote_ident(bare) || ' ADD CONSTRAINT ' || quote_ident(conname)
           || ' PRIMARY KEY USING INDEX ' || quote_ident(conname))) AS made(step, line)
  WHERE line IS NOT NULL;
  SELECT array_agg(pg_get_triggerdef(oid)) INTO triggers FROM pg_trigger
  WHERE tgrelid = register AND NOT tgisinternal AND tgfoid IN (to_regproc('feed.count_changes'), to_regproc('ingest.write_insert'));

  EXECUTE format('ALTER TABLE %s RENAME TO %I', register, bare || '_before');
  EXECUTE format('ALTER TABLE %s RENAME TO %I', shadow, bare);
  FOREACH statement IN ARRAY coalesce(views, '{}') LOOP EXECUTE statement; END LOOP;
  EXECUTE format('DROP TABLE %s.%I', space, bare || '_before');
  FOREACH statement IN ARRAY coalesce(triggers, '{}') LOOP EXECUTE statement; END LOOP;
  FOREACH statement IN ARRAY coalesce(indexes, '{}') LOOP EXECUTE statement; END LOOP;
  EXECUTE format('ALTER TABLE %s.%I OWNER TO %s', space, bare, holder);
  FOREACH statement IN ARRAY coalesce(rights, '{}') LOOP EXECUTE statement; END LOOP;
END $$;

-- The roles that Panji works as. None of them logs in: the embedded database gives all but the owner passwords, and the login
-- of a DATABASE_URL becomes them. They belong to the whole server; each database that Panji migrates has its own grants.
-- Run again, it changes nothing. Roles are asked for first: one that lacks the right to make roles may still find them there.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY '{panji_owner,panji_api,panji_worker,panji_trade}'::text[] LOOP
    BEGIN
      IF to_regrole(wanted) IS NULL THEN EXECUTE format('CREATE ROLE %I NOLOGIN', wanted); END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database of this server was migrated at the same moment
    END;
  END LOOP;
  -- Migrations change the registers, too.
  IF NOT pg_has_role('panji_owner', 'panji_worker', 'MEMBER') THEN GRANT panji_worker TO panji_owner; END IF;
END $$;

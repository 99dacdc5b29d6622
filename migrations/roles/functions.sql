-- Who may call which function, before the grants: nobody because everybody may. What runs with the rights of its caller
-- gives none away, so the roles may call it; what runs with the owner's has a line for each role in grants.sql.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA registry, reference, ingest, feed, access, ledger, orders, deliver, runtime, pgboss
  FROM PUBLIC, panji_api, panji_worker, panji_trade;
DO $$
DECLARE
  callable regprocedure;
BEGIN
  FOR callable IN
    SELECT oid FROM pg_proc
    WHERE pronamespace::regnamespace::text IN
        ('registry', 'reference', 'ingest', 'feed', 'access', 'ledger', 'orders', 'deliver', 'runtime', 'pgboss')
      AND NOT prosecdef AND prorettype <> 'trigger'::regtype
      -- The ledger is moved by their own functions alone.
      AND pronamespace::regnamespace::text <> 'ledger'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO panji_api, panji_worker, panji_trade', callable);
  END LOOP;
END $$;

-- The queue's tables belong to the worker, who made them; requests and the jobs that trade enqueue, read how much waits,
-- and no more. Once that stands, or where there are no roles, it changes nothing.
DO $$
DECLARE
  reading CONSTANT text[] := '{version,queue,job,job_common,warning}';
  sender text;
BEGIN
  IF to_regclass('pgboss.job_common') IS NULL
    OR NOT pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'pgboss.job_common'::regclass), 'USAGE') THEN
    RETURN;
  END IF;
  -- Two processes that start at once would change the same rows of the catalog.
  PERFORM pg_advisory_xact_lock(x'71756575'::integer);
  FOREACH sender IN ARRAY '{panji_api,panji_trade}'::text[] LOOP
    CONTINUE WHEN to_regrole(sender) IS NULL;
    CONTINUE WHEN has_schema_privilege(sender, 'pgboss', 'USAGE')
      AND has_table_privilege(sender, 'pgboss.job_common', 'INSERT')
      AND (SELECT bool_and(has_table_privilege(sender, 'pgboss.' || name, 'SELECT')) FROM unnest(reading) AS name);
    EXECUTE format('GRANT USAGE ON SCHEMA pgboss TO %I', sender);
    EXECUTE format('GRANT SELECT ON pgboss.version, pgboss.queue, pgboss.job, pgboss.job_common, pgboss.warning TO %I', sender);
    EXECUTE format('GRANT INSERT ON pgboss.job, pgboss.job_common TO %I', sender);
  END LOOP;
END $$;

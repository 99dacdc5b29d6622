-- The queue's tables belong to the worker, who made them; requests enqueue, read how much waits, and no more. Once that
-- stands, or where there are no roles, it changes nothing.
DO $$
DECLARE
  reading CONSTANT text[] := '{version,queue,job,job_common,warning}';
BEGIN
  IF to_regrole('panji_api') IS NULL OR to_regclass('pgboss.job_common') IS NULL
    OR NOT pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'pgboss.job_common'::regclass), 'USAGE') THEN
    RETURN;
  END IF;
  -- Two processes that start at once would change the same rows of the catalog.
  PERFORM pg_advisory_xact_lock(x'71756575'::integer);
  IF has_schema_privilege('panji_api', 'pgboss', 'USAGE')
    AND has_table_privilege('panji_api', 'pgboss.job_common', 'INSERT')
    AND (SELECT bool_and(has_table_privilege('panji_api', 'pgboss.' || name, 'SELECT')) FROM unnest(reading) AS name) THEN
    RETURN;
  END IF;
  GRANT USAGE ON SCHEMA pgboss TO panji_api;
  GRANT SELECT ON pgboss.version, pgboss.queue, pgboss.job, pgboss.job_common, pgboss.warning TO panji_api;
  GRANT INSERT ON pgboss.job, pgboss.job_common TO panji_api;
END $$;

-- What a role may send that only passes it on. Requests, and the jobs that trade, enqueue the jobs that are named here: one that names
-- a path, an address or another role's decision is not among them, and one that fails goes to the dead letters and nowhere
-- else. Whoever runs jobs sends any job, and neither they nor the jobs that trade an e-mail that signs somebody in or invites them. The owner is not bound.
-- One statement per table whose policies are missing or other ones. Where everything is in order, no row.
WITH allowed(role, queues) AS (
  VALUES
    ('panji_api', '{build-leads,cancel-run,deliver-leads,end-lost-runs,ingest-snapshot,lower-scope,recall-leads,reconcile-payments,run-schedule,settle-dead-letters}'),
    ('panji_trade', '{build-leads,deliver-leads}')
), policy(relation, name, terms) AS (
  SELECT relation, role || '_sends', format($$FOR INSERT TO %I WITH CHECK (name = ANY (%L::text[]) AND dead_letter = 'dead-letter')$$, role, queues)
  FROM allowed, unnest('{pgboss.job,pgboss.job_common}'::text[]) AS relation
  UNION ALL
  SELECT relation, name, terms
  FROM unnest('{pgboss.job,pgboss.job_common}'::text[]) AS relation, (VALUES
    ('of_worker', 'TO panji_worker USING (true) WITH CHECK (true)'),
    ('of_readers', 'FOR SELECT TO panji_api, panji_trade USING (true)')) AS others(name, terms)
  UNION ALL
  VALUES ('deliver.mail', 'asked_for', $$AS RESTRICTIVE FOR INSERT TO panji_worker, panji_trade WITH CHECK (type NOT IN ('sign-in', 'invitation'))$$)
), wanted AS (
  SELECT c.oid, c.relrowsecurity, policy.name, terms, p.oid AS present
  FROM policy JOIN pg_class c ON c.oid = to_regclass(relation)
  LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = policy.name AND obj_description(p.oid, 'pg_policy') = md5(terms)
)
SELECT format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', oid::regclass) || string_agg(format(
  '; DROP POLICY IF EXISTS %1$I ON %2$s; CREATE POLICY %1$I ON %2$s %3$s; COMMENT ON POLICY %1$I ON %2$s IS %4$L',
  name, oid::regclass, terms, md5(terms)), '' ORDER BY name) AS statement
FROM wanted GROUP BY oid HAVING NOT bool_and(relrowsecurity AND present IS NOT NULL) ORDER BY oid::regclass::text

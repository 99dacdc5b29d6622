-- One statement per thing that belongs to another role than the owner: the schemas first, and what lies in them after.
-- Where everything is in order, no row. A staging table may go with its run meanwhile. What a role of an earlier release had,
-- its processes go on with until the grants are made anew.
WITH mine(schema) AS (
  VALUES ('registry'), ('reference'), ('ingest'), ('feed'), ('access'), ('ledger'), ('orders'), ('deliver'), ('runtime'),
    ('pgboss')
), thing AS (
  SELECT 1 AS place, 'SCHEMA' AS kind, quote_ident(nspname) AS name, nspname AS schema, nspname AS bare, nspowner AS owner
  FROM pg_namespace
  UNION ALL
  SELECT CASE WHEN relkind = 'v' THEN 3 ELSE 2 END,
         CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE IF EXISTS' END,
         c.oid::regclass::text, nspname, relname, relowner
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'S')
    -- The sequence of a column goes with its table.
    AND NOT (relkind = 'S' AND EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')))
  UNION ALL
  SELECT 4, 'ROUTINE', p.oid::regprocedure::text, nspname, proname, proowner
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  UNION ALL
  SELECT 5, 'TYPE', t.oid::regtype::text, nspname, typname, typowner
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE typtype = 'e'
), misplaced AS (
  SELECT place, kind, name, CASE WHEN owner = to_regrole('panji_worker') THEN CASE
           WHEN kind = 'SCHEMA' THEN format('; GRANT USAGE ON SCHEMA %s TO panji_worker', name)
           WHEN kind LIKE 'TABLE%' THEN format('; GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO panji_worker', name) END END AS kept
  FROM thing JOIN mine USING (schema) WHERE owner <> 'panji_owner'::regrole
)
SELECT format('ALTER %s %s OWNER TO panji_owner', kind, name) || coalesce(kept, '') AS statement
FROM misplaced ORDER BY place, name

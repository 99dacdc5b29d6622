-- One statement per thing that belongs to another role than it should: the schemas first, and what lies in them after.
-- Where everything is in order, no row. A staging table may go with its run meanwhile.
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
), ruled AS (
  SELECT thing.*, CASE
    WHEN schema = 'pgboss' THEN 'panji_worker'
    ELSE 'panji_owner'
  END AS rightful
  FROM thing JOIN mine USING (schema)
)
SELECT format('ALTER %s %s OWNER TO %I', kind, name, rightful) AS statement
FROM ruled WHERE owner <> rightful::regrole ORDER BY place, name

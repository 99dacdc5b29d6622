/** The rights that the roles have in the database, compared with the one list that declares them, both ways. */
import { expect, test } from 'vitest'
import { declaredRights, missingRights } from '../../src/db/declared-rights.ts'
import { appRoles } from '../../src/db/roles.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()

const rightsHeld = `
  WITH mine AS (
    SELECT oid, nspname FROM pg_namespace
    WHERE nspname IN ('registry', 'reference', 'ingest', 'feed', 'access', 'ledger', 'orders', 'deliver', 'runtime', 'pgboss')
  ), held AS (
    SELECT c.oid::regclass::text AS name, acl.grantee, acl.privilege_type, NULL::name AS "column"
    FROM pg_class c JOIN mine ON mine.oid = relnamespace, aclexplode(relacl) AS acl
    WHERE acl.grantee <> relowner AND (relkind <> 'S' OR nspname <> 'pgboss')
    UNION ALL
    SELECT c.oid::regclass::text, acl.grantee, acl.privilege_type, attname
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN mine ON mine.oid = relnamespace, aclexplode(attacl) AS acl
    UNION ALL
    SELECT nspname, acl.grantee, acl.privilege_type, NULL
    FROM pg_namespace n JOIN mine USING (oid, nspname), aclexplode(nspacl) AS acl WHERE acl.grantee <> nspowner
    UNION ALL
    SELECT p.oid::regprocedure::text, acl.grantee, acl.privilege_type, NULL
    FROM pg_proc p JOIN mine ON mine.oid = pronamespace, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
    WHERE acl.grantee <> proowner
  )
  SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee)::text END || ': ' || privilege_type
         || coalesce(' (' || "column" || ')', '') || ' ON ' || name AS line
  FROM held`

test('each role has the rights that are declared for it, and no other', async () => {
  const held = await database.db.query<{ line: string }>(rightsHeld)
  const declared = await database.db.query<{ line: string }>(
    `SELECT role || ': ' || privilege || coalesce(' (' || "column" || ')', '') || ' ON '
            || CASE kind WHEN 'function' THEN name::regprocedure::text ELSE name END AS line
     FROM jsonb_to_recordset($1::jsonb) AS wanted(role text, privilege text, kind text, name text, "column" text)
     UNION ALL
     SELECT role || ': EXECUTE ON ' || oid::regprocedure FROM pg_proc, unnest($2::text[]) AS role
     WHERE pronamespace::regnamespace::text IN ('registry', 'reference', 'ingest', 'feed', 'access', 'orders', 'deliver', 'runtime', 'pgboss')
       AND NOT prosecdef AND prorettype <> 'trigger'::regtype
     UNION ALL
     SELECT 'panji_worker: MAINTAIN ON ' || oid::regclass FROM pg_class
     WHERE relnamespace::regnamespace::text IN ('registry', 'reference') AND relkind IN ('r', 'p')
       AND current_setting('server_version_num')::integer >= 170000
       AND (has_table_privilege('panji_worker', oid, 'DELETE') OR relispartition)`,
    [JSON.stringify(declaredRights()), appRoles],
  )
  const lines = new Set(held.map(({ line }) => line))
  const wanted = new Set(declared.map(({ line }) => line))
  expect([...lines].filter((line) => !wanted.has(line)).sort()).toEqual([])
  expect([...wanted].filter((line) => !lines.has(line)).sort()).toEqual([])
})

test('a login is asked for every declared right of its role, and each that it lacks is named', async () => {
  for (const role of appRoles) expect(await missingRights(database.as(role), role)).toEqual([])
  await database.db.execute('REVOKE UPDATE ON orders.checkout FROM panji_trade')
  await database.db.execute('REVOKE UPDATE (last) ON orders.invoice_counter FROM panji_trade')
  await database.db.execute('REVOKE EXECUTE ON FUNCTION ledger.customer(uuid) FROM panji_trade')
  expect(await missingRights(database.as('panji_trade'), 'panji_trade')).toEqual([
    'EXECUTE ON ledger.customer(uuid)',
    'UPDATE (last) ON orders.invoice_counter',
    'UPDATE ON orders.checkout',
  ])
})

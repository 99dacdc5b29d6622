/** The migrated catalog as text, so that a change of the schema shows in review. `vitest -u` writes it anew. */
import { expect, test } from 'vitest'
import { keptTables, rebuiltTables } from '../../../src/backup/kept-tables.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const schemas = `('registry', 'reference', 'ingest', 'feed', 'access', 'ledger', 'orders', 'deliver', 'runtime')`

const queries = {
  column: `SELECT table_schema || '.' || table_name || '.' || column_name || ' ' || udt_name
             || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
             || coalesce(' default ' || column_default, '') AS line
           FROM information_schema.columns WHERE table_schema IN ${schemas}`,
  relation: `SELECT oid::regclass || ' ' || relkind::text || ' ' || relpersistence::text || coalesce(' options ' || reloptions::text, '')
               || CASE WHEN relrowsecurity THEN ' row security' ELSE '' END || CASE WHEN relforcerowsecurity THEN ' forced' ELSE '' END
               || CASE relkind WHEN 'v' THEN ' ' || md5(pg_get_viewdef(oid)) ELSE '' END AS line
             FROM pg_class WHERE relnamespace::regnamespace::text IN ${schemas} AND relkind IN ('r', 'p', 'v', 'm', 'S')`,
  policy: `SELECT schemaname || '.' || tablename || ' ' || policyname || ' ' || permissive || ' ' || cmd || ' to ' || array_to_string(roles, ', ')
             || coalesce(' using ' || qual, '') || coalesce(' check ' || with_check, '') AS line
           FROM pg_policies WHERE schemaname IN ${schemas}`,
  constraint: `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
               WHERE connamespace::regnamespace::text IN ${schemas} AND contype <> 'n'`,
  index: `SELECT indexdef AS line FROM pg_indexes WHERE schemaname IN ${schemas}`,
  function: `SELECT oid::regprocedure || ' returns ' || prorettype::regtype || CASE WHEN prosecdef THEN ' definer' ELSE '' END
               || coalesce(' set ' || proconfig::text, '') || ' ' || md5(prosrc) AS line FROM pg_proc
             WHERE pronamespace::regnamespace::text IN ${schemas}`,
  trigger: `SELECT tgrelid::regclass || ' ' || pg_get_triggerdef(oid) AS line FROM pg_trigger
            WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace::regnamespace::text IN ${schemas})`,
} as const

test('the migrated schema is the one that was reviewed', async () => {
  const lines: string[] = []
  for (const [kind, sql] of Object.entries(queries)) {
    const rows = await database.db.query<{ line: string }>(
      `SELECT line FROM (${sql}) catalog ORDER BY line COLLATE "C"`,
    )
    lines.push(...rows.map(({ line }) => `${kind} ${line}`))
  }
  expect(lines.length).toBeGreaterThan(200)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('catalog.txt')
})

test('each table is kept by a backup, or its page says why an instance stands again without it', async () => {
  const tables = await database.db.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema$|pgboss$)'`,
  )
  const declared = [...keptTables, ...Object.keys(rebuiltTables)]
  // A table of a migration is declared in src/backup/kept-tables.ts.
  expect(declared.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  const unowned = await database.db.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'S' AND n.nspname !~ '^(pg_|information_schema$|pgboss$)' AND NOT EXISTS (
       SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i'))`,
  )
  expect(unowned).toEqual([])
})

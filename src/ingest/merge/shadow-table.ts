/**
 * The first load of an empty register: rows go into a new table without indexes, the indexes are built over them at
 * once, and the new table takes the register's name. That costs a third of filling eight indexes row by row, and
 * readers see the empty register until the commit; only the change of names locks them out, for milliseconds. The triggers
 * that count a register's records move to the new table, whose rows are counted once.
 */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { FirstLoadStatements } from './statements/first-load.ts'

/** Below this many rows the ordinary insert is as fast. */
const rowsMinDefault = 20_000

/**
 * True where the register is an empty plain table that this role may replace. Triggers that do more than count, and
 * publications, would not come along, so a table that has any is filled the ordinary way.
 */
export async function canLoadShadowTable(
  tx: Tx,
  table: string,
  rows: number,
  rowsMin = rowsMinDefault,
): Promise<boolean> {
  if (rows < rowsMin) return false
  const [register] = await tx.query<{ able: boolean }>(
    sql`SELECT c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT ${counts('t')})
        AND NOT EXISTS (SELECT FROM ${table})
        AND NOT EXISTS (SELECT FROM pg_publication_rel p WHERE p.prrelid = c.oid)
        AND pg_has_role(c.relowner, 'USAGE') AND has_schema_privilege(c.relnamespace, 'CREATE') AS able
     FROM pg_class c WHERE c.oid = $1::regclass`,
    [table],
  )
  return register?.able === true
}

/** True of a trigger that keeps the counts of its table. */
const counts = (trigger: string): string => sql`${trigger}.tgfoid = to_regproc('feed.count_changes')`

/** @returns the rows that entered the register. Parameters of the statements as in statements/target.ts. */
export async function loadShadowTable(
  tx: Tx,
  table: string,
  statements: FirstLoadStatements,
  values: readonly unknown[],
): Promise<number> {
  const aside = `${table}_aside`
  const options = await readOptions(tx, table)
  await tx.execute(sql`CREATE TABLE ${aside} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES) ${options}`)
  const rows = await tx.execute(statements.rows(aside), values)
  await tx.execute(statements.history, values)
  const indexes = await buildIndexes(tx, table, aside)
  // Before anybody is locked out.
  await tx.execute('SELECT feed.recount($1, $2)', [table, aside])
  if (await lockAlone(tx, table)) {
    await swapIn(tx, table, aside, indexes)
  } else {
    await tx.execute(sql`INSERT INTO ${table} SELECT * FROM ${aside}`)
    await tx.execute(sql`DROP TABLE ${aside}`)
    await tx.execute('SELECT feed.recount($1)', [table])
  }
  return rows
}

async function readOptions(tx: Tx, table: string): Promise<string> {
  const [register] = await tx.query<{ options: string | null }>(
    `SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = $1::regclass`,
    [table],
  )
  return register?.options ? `WITH (${register.options})` : ''
}

interface Index {
  readonly name: string
  readonly asideName: string
  /** Name of the constraint that the index carries, which is the primary key. */
  readonly primary: string | null
}

async function buildIndexes(tx: Tx, table: string, aside: string): Promise<readonly Index[]> {
  const found = await tx.query<{ name: string; unique: boolean; method: string; primary: string | null }>(
    `SELECT i.indexrelid::regclass::text AS name, i.indisunique AS unique,
            substring(pg_get_indexdef(i.indexrelid) FROM ' USING .*$') AS method, k.conname AS primary
     FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype = 'p'
     WHERE i.indrelid = $1::regclass ORDER BY 1`,
    [table],
  )
  const indexes: Index[] = []
  for (const [position, { name, unique, method, primary }] of found.entries()) {
    const asideName = `aside_${position}`
    await tx.execute(sql`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${asideName} ON ${aside}${method}`)
    indexes.push({ name, asideName, primary })
  }
  return indexes
}

const lockTries = 20
const lockNotAvailable = '55P03'

/**
 * Whoever waits for this lock holds up every later reader, so each try is short.
 * @returns false where a long reader, a dump for one, keeps the table throughout.
 */
async function lockAlone(tx: Tx, table: string): Promise<boolean> {
  await tx.execute('SAVEPOINT alone')
  for (let tries = 0; tries < lockTries; tries++) {
    try {
      await tx.execute(`SET LOCAL lock_timeout = '250ms'`)
      await tx.execute(sql`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      await tx.execute('SET LOCAL lock_timeout TO DEFAULT')
      return true
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== lockNotAvailable) throw error
      await tx.execute('ROLLBACK TO SAVEPOINT alone')
    }
  }
  return false
}

async function swapIn(tx: Tx, table: string, aside: string, indexes: readonly Index[]): Promise<void> {
  const [schema = '', name = ''] = table.split('.')
  const [register] = await tx.query<{ owner: string }>(
    `SELECT quote_ident(pg_get_userbyid(relowner)) AS owner FROM pg_class WHERE oid = $1::regclass`,
    [table],
  )
  const grants = await tx.query<{ grantee: string; privilege: string }>(
    `SELECT CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS grantee,
            acl.privilege_type AS privilege
     FROM pg_class c, aclexplode(c.relacl) acl WHERE c.oid = $1::regclass AND acl.grantee <> c.relowner`,
    [table],
  )
  const views = await tx.query<{ name: string; definition: string }>(
    `SELECT DISTINCT v.oid::regclass::text AS name, pg_get_viewdef(v.oid) AS definition
     FROM pg_depend d JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
       JOIN pg_class v ON v.oid = r.ev_class
     WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::regclass AND v.relkind = 'v'`,
    [table],
  )
  const triggers = await tx.query<{ definition: string }>(
    sql`SELECT pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t WHERE t.tgrelid = $1::regclass AND ${counts('t')}`,
    [table],
  )
  await tx.execute(sql`ALTER TABLE ${table} RENAME TO ${name}_before`)
  await tx.execute(sql`ALTER TABLE ${aside} RENAME TO ${name}`)
  for (const view of views) await tx.execute(sql`CREATE OR REPLACE VIEW ${view.name} AS ${view.definition}`)
  await tx.execute(sql`DROP TABLE ${table}_before`)
  for (const { definition } of triggers) await tx.execute(definition)
  for (const { name: index, asideName, primary } of indexes) {
    await tx.execute(sql`ALTER INDEX ${schema}.${asideName} RENAME TO ${index.replace(/^.*\./, '')}`)
    if (primary) {
      await tx.execute(sql`ALTER TABLE ${table} ADD CONSTRAINT ${primary} PRIMARY KEY USING INDEX ${primary}`)
    }
  }
  if (register) await tx.execute(sql`ALTER TABLE ${table} OWNER TO ${register.owner}`)
  for (const { grantee, privilege } of grants) await tx.execute(sql`GRANT ${privilege} ON ${table} TO ${grantee}`)
}

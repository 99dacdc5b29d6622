/**
 * The first load of an empty register: rows go into a new table without indexes, the indexes are built over them at
 * once, and the new table takes the register's name. That costs a third of filling eight indexes row by row, and
 * readers see the empty register until the commit; only the change of names locks them out, for milliseconds. The triggers
 * that count a register's records move to the new table, whose rows are counted once. Functions of the database's owner make the
 * table and change the names.
 */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { FirstLoadStatements } from './statements/first-load.ts'

/** Below this many rows the ordinary insert is as fast. */
const rowsMinDefault = 20_000

/**
 * True where the register is an empty plain table that this role may replace. Triggers of other kinds than its own, and
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
    sql`SELECT c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT ${comesAlong('t')})
        AND NOT EXISTS (SELECT FROM ${table})
        AND NOT EXISTS (SELECT FROM pg_publication_rel p WHERE p.prrelid = c.oid)
        AND NOT c.relrowsecurity AND has_function_privilege('ingest.swap_shadow(text)', 'EXECUTE') AS able
     FROM pg_class c WHERE c.oid = $1::regclass`,
    [table],
  )
  return register?.able === true
}

/** True of a trigger that keeps the counts of its table, or writes the insert that a record tells of. */
const comesAlong = (trigger: string): string =>
  sql`${trigger}.tgfoid IN (to_regproc('feed.count_changes'), to_regproc('ingest.write_insert'))`

/** @returns the rows that entered the register. Parameters of the statements as in statements/target.ts. */
export async function loadShadowTable(
  tx: Tx,
  table: string,
  statements: FirstLoadStatements,
  values: readonly unknown[],
): Promise<number> {
  const aside = `${table}_aside`
  await tx.query('SELECT ingest.make_shadow($1)', [table])
  const rows = await tx.execute(statements.rows(aside), values)
  if (statements.history !== undefined) await tx.execute(statements.history, values)
  await tx.query('SELECT ingest.index_shadow($1)', [table])
  // Before anybody is locked out.
  await tx.execute('SELECT feed.recount($1, $2)', [table, aside])
  if (await lockAlone(tx, table)) {
    await tx.query('SELECT ingest.swap_shadow($1)', [table])
  } else {
    await tx.execute(sql`INSERT INTO ${table} SELECT * FROM ${aside}`)
    await tx.query('SELECT ingest.drop_shadow($1)', [table])
    await tx.execute('SELECT feed.recount($1)', [table])
  }
  return rows
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

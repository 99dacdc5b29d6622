/**
 * The first load of an empty register: rows go into a new table without indexes, the indexes are built over all rows at
 * once, and the new table takes the register's name. That costs a third of filling eight indexes row by row, and
 * readers see the empty register until the commit; only the renaming locks them out, for milliseconds. The triggers
 * that count a register's records move to the new table, whose rows are counted once. Functions owned by the database's
 * owner create the table and rename it.
 */

import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { FirstLoadStatements } from './statements/first-load.ts'

/** With fewer rows, the normal insert is as fast. */
const rowsMinDefault = 20_000

/**
 * True if the register is an empty plain table that this role may replace. Foreign triggers and publications would not
 * be carried over, so a table with any is filled the normal way.
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

/** True for a trigger that updates its table's counts, or writes the derived insert of a record. */
const comesAlong = (trigger: string): string =>
  sql`${trigger}.tgfoid IN (to_regproc('feed.count_changes'), to_regproc('ingest.write_insert'))`

/** @returns the rows inserted into the register. Parameters of the statements as in statements/target.ts. */
export async function loadShadowTable(
  tx: Tx,
  table: string,
  statements: FirstLoadStatements,
  values: readonly unknown[],
): Promise<number> {
  const shadow = `${table}_aside`
  await tx.query('SELECT ingest.make_shadow($1)', [table])
  const rows = await tx.execute(statements.rows(shadow), values)
  if (statements.history !== undefined) await tx.execute(statements.history, values)
  await tx.query('SELECT ingest.index_shadow($1)', [table])
  // Before readers are locked out.
  await tx.execute('SELECT feed.recount($1, $2)', [table, shadow])
  if (await lockAlone(tx, table)) {
    await tx.query('SELECT ingest.swap_shadow($1)', [table])
  } else {
    await tx.execute(sql`INSERT INTO ${table} SELECT * FROM ${shadow}`)
    await tx.query('SELECT ingest.drop_shadow($1)', [table])
    await tx.execute('SELECT feed.recount($1)', [table])
  }
  return rows
}

const lockTries = 20
const lockNotAvailable = '55P03'

/**
 * Waiting for this lock blocks every later reader, so each attempt is short.
 * @returns false if a long reader, such as a dump, holds the table the whole time.
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

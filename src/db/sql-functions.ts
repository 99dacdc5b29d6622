/**
 * SQL functions in their current form: `migrations/functions/<schema>.<name>.sql`, one `CREATE OR REPLACE` each. They
 * are applied after the migrations, in one transaction, if a file differs from what was applied last. So a database's
 * function can be read in one file, and a change to it in one diff. Idempotent.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Queryable, Tx } from './db.ts'

const folder = new URL('../../migrations/functions/', import.meta.url)

export interface SqlFunction {
  /** `ingest.din`. */
  readonly name: string
  readonly text: string
  readonly sha256: string
}

export function listSqlFunctions(): SqlFunction[] {
  return readdirSync(folder)
    .filter((file) => /^[a-z]+\.[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return { name: file.slice(0, -4), text, sha256: createHash('sha256').update(text).digest('hex') }
    })
}

/** @returns those whose current form the database does not have. */
export async function changedSqlFunctions(
  db: Queryable,
  functions: readonly SqlFunction[] = listSqlFunctions(),
): Promise<SqlFunction[]> {
  const rows = await db.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM runtime.sql_function')
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  return functions.filter(({ name, sha256 }) => applied.get(name) !== sha256)
}

/**
 * Applies them in the caller's transaction. Bodies are not checked at creation, since a function may call one that
 * follows.
 */
export async function applySqlFunctions(tx: Tx, functions: readonly SqlFunction[]): Promise<void> {
  await tx.execute('SET LOCAL check_function_bodies = off')
  for (const { name, text, sha256 } of functions) {
    await tx.execute(text)
    await tx.execute(
      `INSERT INTO runtime.sql_function (name, sha256) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = now()`,
      [name, sha256],
    )
  }
}

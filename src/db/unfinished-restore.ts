/**
 * A restore fills an empty database in many steps. A table without rows marks it until the last one, so that nobody
 * works with a part of a backup as if it were the whole.
 */
import { AppError } from '../errors.ts'
import type { Queryable } from './db.ts'

export async function markRestore(db: Queryable): Promise<void> {
  await db.query('CREATE SCHEMA IF NOT EXISTS runtime')
  await db.query('CREATE TABLE runtime.unfinished_restore ()')
}

export const unmarkRestore = (db: Queryable): Promise<unknown> => db.query('DROP TABLE runtime.unfinished_restore')

/** @throws AppError DATABASE_UNSUITABLE that says how to go on. */
export async function refuseUnfinishedRestore(db: Queryable): Promise<void> {
  const [found] = await db.query<{ database: string }>(
    `SELECT current_database()::text AS database WHERE to_regclass('runtime.unfinished_restore') IS NOT NULL`,
  )
  if (!found) return
  throw new AppError(
    'DATABASE_UNSUITABLE',
    `A restore into the database ${found.database} is in progress, or was interrupted. If none is running, drop the database, create an empty one, and run \`panji restore\` again.`,
  )
}

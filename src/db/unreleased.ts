/**
 * Databases and backups from before 0.1.0, the first release: no migration leads from them to it, and they are never
 * modified. Every later database has the first migration, which none had before.
 */
import { AppError } from '../errors.ts'

const firstMigration = '0001_access.sql'

/** @throws AppError SCHEMA_TOO_OLD if migrations were applied by an unreleased version. */
export function refuseUnreleased(applied: readonly string[], what: 'database' | 'backup'): void {
  if (applied.length === 0 || applied.includes(firstMigration)) return
  throw new AppError(
    'SCHEMA_TOO_OLD',
    `The ${what} was made by a Panji from before 0.1.0 (it holds migration ${applied.toSorted()[0]}), and no upgrade leads from there. Nothing was changed. Begin with an empty database or data directory and import the snapshots again; the Panji that made it still reads it.`,
  )
}

/**
 * Reads rejected records again once the registers have changed, and sends those whose row differs from what was
 * rejected. Compared once per change of the registers; a second run finds nothing to compare.
 */
import type { Db, Queryable } from '../../../db/db.ts'
import { sqlFile } from '../../../db/sql-file.ts'
import type { JobSender } from '../../../queue/queue.ts'
import { areStale, type Comparison, compareAgain, type ReadItems } from '../compare-again.ts'

const rejected: Comparison = {
  stale: sqlFile(import.meta.url, 'stale.sql'),
  refresh: sqlFile(import.meta.url, 'refresh.sql'),
}

export const rejectedAreStale = (db: Queryable): Promise<boolean> => areStale(db, rejected)

/** @returns how many rejected records were compared, and how many deliveries are retried. */
export async function refreshRejected(
  db: Db,
  queue: JobSender,
  read: ReadItems,
): Promise<{ readonly compared: number; readonly retried: number }> {
  const { compared, due } = await compareAgain(db, queue, read, rejected)
  return { compared, retried: due }
}

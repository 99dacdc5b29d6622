/**
 * Refused records go again once the registers say something else of them than what was refused: they are read anew, and what
 * changed is desired from then on. Compared once per change of the registers; run twice, the second finds nothing to compare.
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

/** @returns how many refused records were compared, and how many deliveries are tried again. */
export async function refreshRejected(
  db: Db,
  queue: JobSender,
  read: ReadItems,
): Promise<{ readonly compared: number; readonly retried: number }> {
  const { compared, due } = await compareAgain(db, queue, read, rejected)
  return { compared, retried: due }
}

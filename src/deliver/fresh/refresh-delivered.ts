/**
 * Reads marked records again and requests an update for those whose row changed. The update takes the usual path of a
 * delivery, with the same limits, hours and pauses, and costs nothing. Each mark is compared once; a second run finds
 * nothing marked.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { JobSender } from '../../queue/queue.ts'
import { areStale, type Comparison, compareAgain, type ReadItems } from '../record/compare-again.ts'

const delivered: Comparison = {
  stale: sqlFile(import.meta.url, 'stale.sql'),
  refresh: sqlFile(import.meta.url, 'refresh.sql'),
}

export const deliveredAreStale = (db: Queryable): Promise<boolean> => areStale(db, delivered)

/** @returns how many records were compared, and how many of them are due. */
export const refreshDelivered = (
  db: Db,
  queue: JobSender,
  read: ReadItems,
): Promise<{ readonly compared: number; readonly due: number }> => compareAgain(db, queue, read, delivered)

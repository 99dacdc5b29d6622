/**
 * Refused records go again once the registers say something else of them than what was refused: they are read anew, and what
 * changed is desired from then on. Compared once per change of the registers; run twice, the second finds nothing to compare.
 */
import type { LeadRow } from '../../../../config/lead-columns.ts'
import type { Db, Queryable } from '../../../db/db.ts'
import { sqlFile } from '../../../db/sql-file.ts'
import type { JobSender } from '../../../queue/queue.ts'
import { queues } from '../../../queue/queues.ts'

/** What the registers say of an item today. */
export interface ReadAgain {
  readonly itemId: string
  readonly row: LeadRow
  /** Run that last changed the record. */
  readonly runId: number | null
}

/** Reads items from the registers; those that nobody can be reached under are left out. */
export type ReadItems = (db: Queryable, itemIds: readonly string[]) => Promise<readonly ReadAgain[]>

interface StaleRecord {
  readonly destinationId: string
  readonly externalId: string
  readonly itemId: string
  readonly version: number
}

const atOnce = 200
const staleSql = sqlFile(import.meta.url, 'stale.sql')
const refreshSql = sqlFile(import.meta.url, 'refresh.sql')

export async function rejectedAreStale(db: Queryable): Promise<boolean> {
  return (await db.query(staleSql, [1])).length > 0
}

/** @returns how many refused records were compared, and how many deliveries are tried again. */
export async function refreshRejected(
  db: Db,
  queue: JobSender,
  read: ReadItems,
): Promise<{ readonly compared: number; readonly retried: number }> {
  let [compared, retried] = [0, 0]
  for (;;) {
    const stale = await db.query<StaleRecord>(staleSql, [atOnce])
    if (stale.length === 0) return { compared, retried }
    const told = await read(
      db,
      stale.map(({ itemId }) => itemId),
    )
    retried += await db.transaction(async (tx) => {
      const changed = await tx.query<{ destinationId: string }>(refreshSql, [
        JSON.stringify(stale),
        JSON.stringify(told),
      ])
      const destinations = new Set(changed.map(({ destinationId }) => destinationId))
      for (const destinationId of destinations) await queue.send(tx, queues.deliverLeads, { destinationId })
      return changed.length
    })
    compared += stale.length
  }
}

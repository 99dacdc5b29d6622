/**
 * Compares records that were sent to a CRM with the registers again, in batches until none is left, and requests an
 * update of those that changed. The caller's statements decide which records, and what is stored for each.
 */
import type { LeadRow } from '../../../config/lead-columns.ts'
import type { Db, Queryable } from '../../db/db.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'

/** The current row of an item in the registers. */
export interface ReadAgain {
  readonly itemId: string
  readonly row: LeadRow
  /** Run that last changed the record. */
  readonly runId: number | null
}

/** Reads items from the registers; those without a contact are left out. */
export type ReadItems = (db: Queryable, itemIds: readonly string[]) => Promise<readonly ReadAgain[]>

export interface Comparison {
  /** Up to $1 records to compare, with the values that `refresh` needs. */
  readonly stale: string
  /**
   * Stores that the records $1 were compared with the rows $2 of the registers. @returns a destination for each
   * record that is due.
   */
  readonly refresh: string
}

const atOnce = 200

export async function areStale(db: Queryable, { stale }: Comparison): Promise<boolean> {
  return (await db.query(stale, [1])).length > 0
}

export async function compareAgain(
  db: Db,
  queue: JobSender,
  read: ReadItems,
  { stale, refresh }: Comparison,
): Promise<{ readonly compared: number; readonly due: number }> {
  let [compared, due] = [0, 0]
  for (;;) {
    const records = await db.query<{ itemId: string }>(stale, [atOnce])
    if (records.length === 0) return { compared, due }
    const itemIds = records.map(({ itemId }) => itemId)
    const current = await read(db, itemIds)
    due += await db.transaction(async (tx) => {
      const changed = await tx.query<{ destinationId: string }>(refresh, [
        JSON.stringify(records),
        JSON.stringify(current),
      ])
      const destinations = new Set(changed.map(({ destinationId }) => destinationId))
      for (const destinationId of destinations) await queue.send(tx, queues.deliverLeads, { destinationId })
      return changed.length
    })
    compared += records.length
  }
}

/**
 * Records that a CRM was told of are compared with the registers again, some at a time until none is left, and what changed is
 * desired from then on. Which ones, and what is written of each, the statements of the caller say.
 */
import type { LeadRow } from '../../../config/lead-columns.ts'
import type { Db, Queryable } from '../../db/db.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'

/** What the registers say of an item today. */
export interface ReadAgain {
  readonly itemId: string
  readonly row: LeadRow
  /** Run that last changed the record. */
  readonly runId: number | null
}

/** Reads items from the registers; those that nobody can be reached under are left out. */
export type ReadItems = (db: Queryable, itemIds: readonly string[]) => Promise<readonly ReadAgain[]>

export interface Comparison {
  /** Up to $1 records that are to be compared, with whatever `refresh` needs of them. */
  readonly stale: string
  /** Notes that the records $1 were compared with what the registers say, $2. @returns a destination for each that is due. */
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
    const told = await read(db, itemIds)
    due += await db.transaction(async (tx) => {
      const changed = await tx.query<{ destinationId: string }>(refresh, [
        JSON.stringify(records),
        JSON.stringify(told),
      ])
      const destinations = new Set(changed.map(({ destinationId }) => destinationId))
      for (const destinationId of destinations) await queue.send(tx, queues.deliverLeads, { destinationId })
      return changed.length
    })
    compared += records.length
  }
}

/**
 * Records that an import touched are read anew, and what changed is desired from then on: it goes the way of every delivery, within the
 * same limits, hours and pauses, and costs nothing. Compared once per mark; run twice, the second finds nothing marked.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import type { ReadItems } from '../record/rejected/refresh-rejected.ts'

interface MarkedRecord {
  readonly destinationId: string
  readonly externalId: string
  readonly itemId: string
  readonly markedBy: number
}

const atOnce = 200
const staleSql = sqlFile(import.meta.url, 'stale.sql')
const refreshSql = sqlFile(import.meta.url, 'refresh.sql')

export async function deliveredAreStale(db: Queryable): Promise<boolean> {
  return (await db.query(staleSql, [1])).length > 0
}

/** @returns how many records were compared, and how many of them are due. */
export async function refreshDelivered(
  db: Db,
  queue: JobSender,
  read: ReadItems,
): Promise<{ readonly compared: number; readonly due: number }> {
  let [compared, due] = [0, 0]
  for (;;) {
    const marked = await db.query<MarkedRecord>(staleSql, [atOnce])
    if (marked.length === 0) return { compared, due }
    const itemIds = marked.map(({ itemId }) => itemId)
    const told = await read(db, itemIds)
    due += await db.transaction(async (tx) => {
      const rows = await tx.query<{ destinationId: string; changed: boolean }>(refreshSql, [
        JSON.stringify(marked),
        JSON.stringify(told),
      ])
      const changed = rows.filter((row) => row.changed)
      const destinations = new Set(changed.map(({ destinationId }) => destinationId))
      for (const destinationId of destinations) await queue.send(tx, queues.deliverLeads, { destinationId })
      return changed.length
    })
    compared += marked.length
  }
}

/**
 * Wakes the reconciler. What is to be done stands in the tables; a wake-up that is lost, doubled or dies with its worker
 * costs at most the few seconds until the next look.
 */
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'

const dueSql = sqlFile(import.meta.url, 'due-destinations.sql')

/** @returns how many destinations were due. */
export async function wakeDue(db: Db, queue: JobSender): Promise<number> {
  const due = await db.query<{ destinationId: string }>(dueSql, [queues.deliverLeads.name])
  for (const { destinationId } of due) await queue.send(db, queues.deliverLeads, { destinationId })
  return due.length
}

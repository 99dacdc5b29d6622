/**
 * Wakes the reconciler. The work itself is in the tables; a wake-up that is lost, duplicated or dies with its worker
 * costs at most the few seconds until the next poll.
 */
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { mayHold } from '../lease/lease.ts'

/** Parameter $1: the name of the queue. */
export const dueSql = fillSql(sqlFile(import.meta.url, 'due-destinations.sql'), { may_hold: mayHold('d') })

/** @returns how many destinations were due. */
export async function wakeDue(db: Db, queue: JobSender): Promise<number> {
  const due = await db.query<{ destinationId: string }>(dueSql, [queues.deliverLeads.name])
  for (const { destinationId } of due) await queue.send(db, queues.deliverLeads, { destinationId })
  return due.length
}

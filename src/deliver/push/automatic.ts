/**
 * Once the leads of a paid order are built, they are delivered to every destination of its account that delivers
 * automatically, at once or at its time of day. Idempotent: there is at most one automatic push per order and
 * destination.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { enqueuePush, type WaitingPush } from './enqueue.ts'

const automaticSql = sqlFile(import.meta.url, 'automatic.sql')

/** @returns the destinations that receive the order now. */
export function deliverBuiltOrder(db: Db, queue: JobSender, orderId: string): Promise<string[]> {
  return db.transaction((tx) => deliverBuiltOrderWithin(tx, queue, orderId))
}

/**
 * The same within the caller's transaction. Also wakes pushes that were requested by hand while the leads were being
 * built.
 */
export async function deliverBuiltOrderWithin(tx: Queryable, queue: JobSender, orderId: string): Promise<string[]> {
  await tx.execute(automaticSql, [orderId])
  const pushes = await tx.query<WaitingPush>(
    `SELECT push_id AS "pushId", order_id AS "orderId", destination_id AS "destinationId" FROM deliver.push
     WHERE order_id = $1 AND status = 'queued' AND due_at <= now() ORDER BY destination_id, push_id`,
    [orderId],
  )
  const destinations: string[] = []
  for (const push of pushes) {
    if (!(await enqueuePush(tx, push))) continue
    await queue.send(tx, queues.deliverLeads, { destinationId: push.destinationId })
    destinations.push(push.destinationId)
  }
  return destinations
}

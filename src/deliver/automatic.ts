/**
 * Once the leads of a paid order are built, they go by themselves into every destination of its account that is set so, at
 * once or at its time of day. Run twice it asks once: the push of an order into a destination is there or not.
 */
import type { Db } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { enrolPush, type WaitingPush } from './enrol.ts'

const automaticSql = sqlFile(import.meta.url, 'automatic.sql')

/** Also wakes what was asked for by hand while the leads were being built. @returns how many destinations get the order. */
export async function deliverBuiltOrder(db: Db, queue: JobSender, orderId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(automaticSql, [orderId])
    const pushes = await tx.query<WaitingPush>(
      `SELECT push_id AS "pushId", order_id AS "orderId", destination_id AS "destinationId" FROM deliver.push
       WHERE order_id = $1 AND status = 'queued' AND due_at <= now() ORDER BY destination_id, push_id`,
      [orderId],
    )
    for (const push of pushes) {
      if (await enrolPush(tx, push)) await queue.send(tx, queues.deliverLeads, { destinationId: push.destinationId })
    }
    return pushes.length
  })
}

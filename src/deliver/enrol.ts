/**
 * Pushes become desired records: the leads of an order are what their destination is to hold from now on, where nothing
 * newer is. A push whose leads are still being built waits. Run twice, it enrols nothing anew.
 */
import type { Db, Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { sqlFile } from '../db/sql-file.ts'
import { holdAccountOf } from './hold-account.ts'

export interface WaitingPush {
  readonly pushId: string
  readonly orderId: string
  readonly destinationId: string
}

const recordsSql = sqlFile(import.meta.url, 'ledger/enrol-records.sql')
const deliveriesSql = sqlFile(import.meta.url, 'ledger/enrol-deliveries.sql')

/** Pushes of which each lead is built, and whose time has come. */
const waiting = `p.status = 'queued' AND p.due_at <= clock_timestamp() AND NOT EXISTS (
  SELECT FROM orders.item i WHERE i.order_id = p.order_id AND i.has_contact AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
    AND NOT EXISTS (SELECT FROM orders.lead l WHERE l.item_id = i.item_id))`

/** @returns false for a push whose leads are not built yet, or that is enrolled already. */
export async function enrolPush(tx: Queryable, { pushId, orderId, destinationId }: WaitingPush): Promise<boolean> {
  await holdAccountOf(tx, destinationId)
  const taken = await tx.execute(
    sql`UPDATE deliver.push p SET status = 'running', enrolled_at = now() WHERE p.push_id = $1 AND ${waiting}`,
    [pushId],
  )
  if (taken === 0) return false
  await tx.execute(recordsSql, [destinationId, orderId])
  await tx.execute(deliveriesSql, [destinationId, pushId, orderId])
  return true
}

/** The pushes into a destination that waited until now, oldest first. */
export async function enrolWaiting(db: Db, destinationId: string): Promise<void> {
  const pushes = await db.query<WaitingPush>(
    sql`SELECT p.push_id AS "pushId", p.order_id AS "orderId", p.destination_id AS "destinationId"
     FROM deliver.push p WHERE p.destination_id = $1 AND ${waiting} ORDER BY p.requested_at, p.push_id`,
    [destinationId],
  )
  for (const push of pushes) await db.transaction((tx) => enrolPush(tx, push))
}

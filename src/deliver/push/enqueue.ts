/**
 * Turns pushes into desired records: the leads of an order become what their destination is to hold, unless it has
 * something newer. A push whose leads are still being built waits. A large order is enqueued in parts, each in one
 * transaction with the push's progress, so that another worker can continue from there. Idempotent.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { holdAccountOf } from '../destinations/hold-account.ts'
import { isTurned } from '../destinations/verify-account.ts'
import { leadsAreBuilt } from './leads-ready.ts'

export interface WaitingPush {
  readonly pushId: string
  readonly orderId: string
  readonly destinationId: string
}

/**
 * Positions of an order in one part: about a tenth of a second, during which no answer of its account can be
 * recorded.
 */
export const itemsAtOnce = 1_000

const recordsSql = sqlFile(import.meta.url, '../record/enqueue-records.sql')
const deliveriesSql = sqlFile(import.meta.url, '../record/enqueue-deliveries.sql')

/**
 * Pushes whose leads are all built and whose time has come, or that have begun. With new settings a destination may
 * lead into another account, to which the ledger does not apply, so its account is verified first.
 */
const waiting = sql`p.status = 'queued' AND p.due_at <= clock_timestamp()
  AND (p.enqueued_through IS NOT NULL OR ${leadsAreBuilt('p.order_id')})
  AND NOT EXISTS (SELECT FROM deliver.destination d WHERE d.destination_id = p.destination_id AND ${isTurned('d')})`

/**
 * Enqueues the next part of a push. The push stays `queued` until its last part is enqueued.
 * @returns false for a push whose leads are not built yet, or that is enqueued already.
 */
export async function enqueuePush(
  tx: Queryable,
  { pushId, orderId, destinationId }: WaitingPush,
  items = itemsAtOnce,
): Promise<boolean> {
  await holdAccountOf(tx, destinationId)
  const through = 'coalesce(p.enqueued_through, -1) + $2::int'
  const more = sql`EXISTS (SELECT FROM orders.item i WHERE i.order_id = p.order_id AND i.position > ${through})`
  const [part] = await tx.query<{ through: number }>(
    sql`UPDATE deliver.push p SET enqueued_through = ${through}, status = CASE WHEN ${more} THEN 'queued' ELSE 'running' END,
       enqueued_at = CASE WHEN NOT ${more} THEN now() END
     WHERE p.push_id = $1 AND ${waiting} RETURNING p.enqueued_through AS through`,
    [pushId, items],
  )
  if (part === undefined) return false
  const positions = [part.through - items, part.through]
  await tx.execute(recordsSql, [destinationId, orderId, ...positions])
  await tx.execute(deliveriesSql, [destinationId, pushId, orderId, ...positions])
  return true
}

/** Enqueues the next part of the destination's oldest waiting push. @returns false if none waits. */
export async function enqueueNext(db: Db, destinationId: string): Promise<boolean> {
  const [push] = await db.query<WaitingPush>(
    sql`SELECT p.push_id AS "pushId", p.order_id AS "orderId", p.destination_id AS "destinationId"
     FROM deliver.push p WHERE p.destination_id = $1 AND ${waiting} ORDER BY p.requested_at, p.push_id LIMIT 1`,
    [destinationId],
  )
  if (push === undefined) return false
  await db.transaction((tx) => enqueuePush(tx, push))
  return true
}

/**
 * A paused destination has no holder that would enqueue the rest of its pushes, but its list of owed leads has to be
 * complete all the same. If a holder is just finishing at the same time, each part is still enqueued only once.
 */
export async function enqueueWhilePaused(db: Db, destinationId: string, signal: AbortSignal): Promise<void> {
  const isPaused = async () =>
    (await db.query(`SELECT FROM deliver.destination WHERE destination_id = $1 AND status = 'paused'`, [destinationId]))
      .length > 0
  while ((await isPaused()) && (await enqueueNext(db, destinationId))) signal.throwIfAborted()
}

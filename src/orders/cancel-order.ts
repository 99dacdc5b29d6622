/** Cancels a pending order. Nothing was paid, so no credit moves. An order that has already ended is a conflict. */
import type { Db } from '../db/db.ts'
import { AppError } from '../errors.ts'
import type { Order } from './order.ts'
import { readOrder } from './read-orders.ts'
import { orderMoves, paymentMoves, statesBefore } from './states.ts'

/** @throws AppError NOT_FOUND for others' orders, CONFLICT when the order is no longer pending. */
export async function cancelOrder(db: Db, accountId: string, orderId: string): Promise<Order> {
  const before = await readOrder(db, accountId, orderId)
  // A single statement checks and updates, so that the cancellation and a concurrent payment exclude each other.
  const moved = await db.execute(
    `UPDATE orders.purchase SET status = 'cancelled', payment_status = 'cancelled', cancelled_at = now()
     WHERE order_id = $1 AND account_id = $2 AND status = ANY($3) AND payment_status = ANY($4)`,
    [orderId, accountId, statesBefore(orderMoves, 'cancelled'), statesBefore(paymentMoves, 'cancelled')],
  )
  if (moved === 0) {
    throw new AppError('CONFLICT', `Only a pending order can be cancelled; this one is ${before.status}.`)
  }
  return readOrder(db, accountId, orderId)
}

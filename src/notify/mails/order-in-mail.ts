/**
 * An order as its buyer knows it, for e-mails: its name, its number of records, the day in India. Webhooks get its ID.
 */
import type { Queryable } from '../../db/db.ts'

export interface OrderInMail {
  readonly order_name: string
  readonly order_records: number
  readonly order_day: string
}

export async function orderInMail(tx: Queryable, orderId: string): Promise<OrderInMail | undefined> {
  const [order] = await tx.query<OrderInMail>(
    `SELECT order_name, items_count AS order_records, runtime.indian_day(created_at)::text AS order_day
     FROM orders.purchase WHERE order_id = $1`,
    [orderId],
  )
  return order
}

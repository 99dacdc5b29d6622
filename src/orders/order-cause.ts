/** The standing order that placed an order, with the query, import and budget at that time. */
import type { Queryable } from '../db/db.ts'

export interface OrderCause {
  readonly standing_order_id: string
  readonly name: string
  readonly run_id: number
  /** The import that contained what was bought; null if a run covers several. */
  readonly import_run_id: number | null
  /** Version of the query. */
  readonly version: number
  readonly query: string | null
  readonly budget: { readonly day: number; readonly month: number; readonly run: number } | null
}

/** @returns null for an order that a person placed. */
export async function readCause(db: Queryable, orderId: string): Promise<OrderCause | null> {
  const [cause] = await db.query<OrderCause>(
    `SELECT run.standing_order_id, s.name, run.run_id, run.import_run_id, run.version, q.query, run.budget
     FROM orders.purchase JOIN orders.standing_run run ON run.run_id = purchase.standing_run_id
     JOIN orders.standing_order s ON s.standing_order_id = run.standing_order_id
     JOIN orders.standing_query q ON (q.standing_order_id, q.version) = (run.standing_order_id, run.version)
     WHERE order_id = $1`,
    [orderId],
  )
  return cause ?? null
}

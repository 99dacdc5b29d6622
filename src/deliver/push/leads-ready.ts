/** Whether the leads of an order are all built: those with a contact that were not refunded or withdrawn. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'

/** @param order SQL expression of the order's id. */
export const leadsAreBuilt = (order: string): string => sql`NOT EXISTS (
  SELECT FROM orders.item i WHERE i.order_id = ${order} AND i.has_contact AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
    AND NOT EXISTS (SELECT FROM orders.lead l WHERE l.item_id = i.item_id))`

const isReady = sql`SELECT ${leadsAreBuilt('$1::uuid')} AS "isReady"`

/** @throws AppError LEADS_NOT_READY while a job builds them. */
export async function requireLeads(db: Queryable, orderId: string): Promise<void> {
  const [row] = await db.query<{ isReady: boolean }>(isReady, [orderId])
  if (row?.isReady) return
  throw new AppError('LEADS_NOT_READY', leadsNotReady, { retryAfterSeconds: 2 })
}

export const leadsNotReady = 'The leads of the order are still being built'

/** Reads an account's own orders. Every statement filters by account, so orders of other accounts are not found. */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { madeUntil } from '../db/until.ts'
import { registerSpellings } from '../domain/entity-identifier.ts'
import type { EntityType } from '../domain/identity.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { isReportedLate, type Order, type OrderedItem, type OrderSort, orderColumns, orderSorts } from './order.ts'
import type { OrderState } from './states.ts'

export interface OrderFilter {
  readonly status?: OrderState | undefined
  /** Part of the order's name or of an item's name, ignoring case, or a whole identifier. */
  readonly search?: string | undefined
  /** Upper bound of the time at which the order was placed. */
  readonly until?: string | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: OrderSort | undefined
}

export function orderNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such order.')
}

/** @throws AppError NOT_FOUND for unknown and malformed ids, and for orders of other accounts. */
export async function readOrder(db: Queryable, accountId: string, orderId: string): Promise<Order> {
  if (!isUuid(orderId)) throw orderNotFound()
  const [order] = await db.query<Order>(
    sql`SELECT ${orderColumns} FROM orders.purchase WHERE order_id = $1 AND account_id = $2`,
    [orderId, accountId],
  )
  if (!order) throw orderNotFound()
  return order
}

/** In order of the ids. @throws AppError NOT_FOUND with the index of the first that is not an order of the account. */
export async function readOrders(db: Queryable, accountId: string, orderIds: readonly string[]): Promise<Order[]> {
  const found = await db.query<Order>(
    sql`SELECT ${orderColumns} FROM orders.purchase WHERE order_id = ANY($1::uuid[]) AND account_id = $2`,
    [orderIds, accountId],
  )
  const byId = new Map(found.map((order) => [order.orderId, order]))
  return orderIds.map((orderId, index) => {
    const order = byId.get(orderId)
    if (!order) throw new AppError('NOT_FOUND', `order_ids[${index}]: there is no such order.`, { extra: { index } })
    return order
  })
}

export async function typesOfOrders(db: Queryable, orderIds: readonly string[]): Promise<EntityType[]> {
  const rows = await db.query<{ type: EntityType }>(
    'SELECT DISTINCT type FROM orders.item WHERE order_id = ANY($1::uuid[]) ORDER BY type',
    [orderIds],
  )
  return rows.map(({ type }) => type)
}

export async function readOrderedItems(db: Queryable, orderId: string): Promise<OrderedItem[]> {
  return db.query<OrderedItem>(
    sql`SELECT type, identifier, name, has_contact AS "hasContact", refunded_at AS "refundedAt",
            refund_reason AS "refundReason", already_owned AS "alreadyOwned", withdrawn_at IS NOT NULL AS withdrawn, dispute.status AS dispute,
            payment_status = 'paid' AND charge_id IS NOT NULL AND refunded_at IS NULL AND withdrawn_at IS NULL
              AND dispute.status IS NULL AND NOT ${isReportedLate} AS "mayBeReported"
     FROM orders.item JOIN orders.purchase USING (order_id) LEFT JOIN orders.dispute USING (item_id, charge_id)
     WHERE order_id = $1 ORDER BY position`,
    [orderId],
  )
}

/** @returns the number of withdrawn items, for the orders that have any. */
export async function countWithdrawn(db: Queryable, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ orderId: string; items: number }>(
    `SELECT order_id AS "orderId", count(*) AS items FROM orders.item
     WHERE order_id = ANY ($1::uuid[]) AND withdrawn_at IS NOT NULL AND refunded_at IS NULL GROUP BY order_id`,
    [orderIds],
  )
  return new Map(rows.map(({ orderId, items }) => [orderId, items]))
}

/** Newest first by default; `total` counts all pages. */
export async function listOrders(
  db: Queryable,
  accountId: string,
  filter: OrderFilter,
): Promise<{ orders: Order[]; total: number }> {
  const where = sql`
    purchase.account_id = $1
    AND ($2::text IS NULL OR purchase.status = $2)
    AND ($3::text IS NULL OR purchase.order_name ILIKE $3 OR EXISTS (
      SELECT FROM orders.item WHERE item.order_id = purchase.order_id AND (item.name ILIKE $3 OR item.identifier = ANY ($4::text[]))))
    AND ${madeUntil('purchase.created_at', '$5')}`
  const search = filter.search?.trim() || null
  const values = [
    accountId,
    filter.status ?? null,
    search && `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    search && registerSpellings(search),
    filter.until ?? null,
  ]
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM orders.purchase WHERE ${where}`,
    values,
  )
  const orders = await db.query<Order>(
    sql`SELECT ${orderColumns} FROM orders.purchase WHERE ${where}
     ORDER BY ${orderSorts.orderBy(filter.sort)} LIMIT $6 OFFSET $7`,
    [...values, filter.limit, (filter.page - 1) * filter.limit],
  )
  return { orders, total: counted?.total ?? 0 }
}

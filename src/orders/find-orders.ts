/**
 * Searches orders for operators, by anything that a buyer or a processor may name, and explains why each item was
 * charged.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { madeUntil } from '../db/until.ts'
import { registerSpellings } from '../domain/entity-identifier.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { type Order, type OrderSort, orderColumns, orderSorts } from './order.ts'

export interface FoundOrder extends Order {
  readonly userId: string
  readonly email: string
}

export interface ExplainedItem {
  readonly index: number
  readonly item_id: string
  readonly type: string
  readonly number: string
  readonly name: string
  readonly has_contact: boolean | null
  readonly already_owned: boolean
  readonly charged: boolean
  /** A sentence. */
  readonly why: string
  readonly charge: string | null
  readonly credit_type: string | null
  readonly refunded_at: Date | null
  readonly refund_reason: string | null
  readonly dispute_id: string | null
  readonly dispute: string | null
}

export interface OrderSearch {
  /** Id of an order, item, account or dispute, of a payment or the processor's order, an e-mail or an identifier. */
  readonly search?: string | undefined
  readonly status?: string | undefined
  /** Upper bound of the time at which the order was placed. */
  readonly until?: string | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: OrderSort | undefined
}

const found = sql`
  FROM orders.purchase JOIN access.account USING (account_id)
  WHERE ($1::text IS NULL OR lower(account.email) = lower($1) OR purchase.payment ->> 'id' = $1
      OR purchase.order_id = $2 OR purchase.account_id = $2
      OR purchase.order_id IN (
        SELECT order_id FROM orders.item WHERE item_id = $2 OR identifier = ANY ($5::text[])
        UNION ALL SELECT order_id FROM orders.payment WHERE payment_id = $1
        UNION ALL SELECT order_id FROM orders.dispute JOIN orders.item USING (item_id) WHERE dispute_id = $2))
    AND ($3::text IS NULL OR purchase.status = $3) AND ${madeUntil('purchase.created_at', '$4')}`

/** Newest first by default. */
export async function findOrders(
  db: Queryable,
  { search, status, until, page, limit, sort }: OrderSearch,
): Promise<{ orders: FoundOrder[]; total: number }> {
  const values = [
    ...[search ?? null, search !== undefined && isUuid(search) ? search : null, status ?? null, until ?? null],
    search === undefined ? null : registerSpellings(search),
  ]
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${found}`, values)
  const orders = await db.query<FoundOrder>(
    sql`SELECT ${orderColumns}, account.account_id AS "userId", account.email ${found}
     ORDER BY ${orderSorts.orderBy(sort)} LIMIT $6 OFFSET $7`,
    [...values, limit, (page - 1) * limit],
  )
  return { orders, total: counted?.total ?? 0 }
}

/** @throws AppError NOT_FOUND */
export async function explainOrder(
  db: Queryable,
  orderId: string,
): Promise<{ order: FoundOrder; items: ExplainedItem[] }> {
  const [order] = isUuid(orderId)
    ? await db.query<FoundOrder>(
        sql`SELECT ${orderColumns}, account.account_id AS "userId", account.email
         FROM orders.purchase JOIN access.account USING (account_id) WHERE order_id = $1`,
        [orderId],
      )
    : []
  if (!order) throw new AppError('NOT_FOUND', 'There is no such order.')
  const items = await db.query<ExplainedItem>(
    `SELECT item.position AS index, item.item_id, item.type, item.identifier AS number, item.name, has_contact, already_owned,
            item.charge_id IS NOT NULL AND refunded_at IS NULL AS charged,
            CASE
              WHEN already_owned AND withdrawn_at IS NOT NULL THEN 'bought before by this account, and the credit for it was refunded: withdrawn'
              WHEN already_owned THEN 'bought before by this account: no charge'
              WHEN item.charge_id IS NULL THEN 'not paid'
              WHEN refund_reason = 'no_contact' THEN 'no usable contact: the credit was refunded'
              WHEN refund_reason = 'dispute' THEN 'reported by the buyer and accepted: the credit was refunded'
              WHEN refund_reason = 'operator' THEN 'refunded by an operator'
              WHEN refund_reason = 'owned' THEN 'bought by another order before this one was paid: the credit was refunded'
              WHEN refund_reason = 'money_back' THEN 'the money for it, or for a part of its sale, was refunded, and its credit with it'
              WHEN withdrawn_at IS NOT NULL THEN 'one credit; the money for the order was refunded'
              WHEN refund_reason = 'refused' THEN 'rejected by every CRM it was sent to, and not fixed: the credit was refunded'
              WHEN has_contact IS FALSE THEN 'one credit; its lead was erased, because the person objected'
              WHEN spend.kind = 'hold' AND item.settled_id IS NULL THEN 'held until a CRM acknowledges it: one credit'
              ELSE 'has a usable contact: one credit'
            END AS why,
            spend.reference AS charge, lot.type AS credit_type, refunded_at, refund_reason, dispute_id, dispute.status AS dispute
     FROM orders.item
     LEFT JOIN ledger.transfer AS spend ON spend.transfer_id = item.charge_id
     LEFT JOIN ledger.lot USING (lot_id)
     LEFT JOIN orders.dispute ON dispute.item_id = item.item_id AND dispute.charge_id = item.charge_id
     WHERE item.order_id = $1 ORDER BY item.position`,
    [orderId],
  )
  return { order, items }
}

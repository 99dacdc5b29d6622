/**
 * An order's name, payment and items go in; a paid order comes out, or nothing is written at all.
 *
 * One transaction writes the order, spends its credits, gives back those of items that nobody can be reached under,
 * and enqueues the lead build. Called twice it places two orders; under an Idempotency-Key the caller's `finish` keeps
 * the answer in the same transaction, so that a repeat finds order and answer, or neither.
 */
import type { Db, Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { refundItems, spendCredits } from './ledger.ts'
import { type Order, orderColumns } from './order.ts'
import { type OrderItem, type RequestedItem, readOrderItems } from './order-items.ts'

export interface OrderSettings {
  /** Label that, like `online`, asks for online payment. */
  readonly onlineLabel: string
}

export interface OrderRequest {
  readonly accountId: string
  readonly orderName: string
  readonly paymentOption: string
  readonly items: readonly RequestedItem[]
}

interface CheckedItem extends OrderItem {
  readonly hasContact: boolean
}

const lookUpItems = sqlFile(import.meta.url, 'look-up-items.sql')

export function placeOrder(db: Db, queue: JobSender, settings: OrderSettings, request: OrderRequest): Promise<Order> {
  return placeOrderAnd(db, queue, settings, request, async (_tx, order) => order)
}

/** Places the order and runs `finish` in its transaction; when `finish` throws there is no order. */
export async function placeOrderAnd<T>(
  db: Db,
  queue: JobSender,
  settings: OrderSettings,
  request: OrderRequest,
  finish: (tx: Tx, order: Order) => Promise<T>,
): Promise<T> {
  refuseOtherPayments(request.paymentOption, settings)
  const items = await checkInRegistry(db, readOrderItems(request.items))
  return db.transaction(async (tx) => {
    const { orderId, toRefund } = await writeOrder(tx, request, items)
    await spendCredits(tx, request.accountId, items.length, `order:${orderId}`)
    await refundItems(tx, request.accountId, toRefund, 'no contact data')
    await queue.send(tx, queues.buildLeads, { orderId })
    const [order] = await tx.query<Order>(`SELECT ${orderColumns} FROM orders.purchase WHERE order_id = $1`, [orderId])
    if (!order) throw new Error('the order vanished within its own transaction')
    return finish(tx, order)
  })
}

/** An order nobody can pay would wait for ever, so online payment is refused until a processor is configured. */
function refuseOtherPayments(paymentOption: string, settings: OrderSettings): void {
  if (paymentOption === 'credits') return
  if (paymentOption === 'online' || paymentOption === settings.onlineLabel) {
    throw new AppError('BAD_REQUEST', 'No online payment processor is configured here; pay with credits.', {
      extra: { reason: 'online_payment_not_configured' },
    })
  }
  throw new AppError('BAD_REQUEST', `paymentOption must be credits or ${settings.onlineLabel}.`)
}

/** @throws AppError NOT_FOUND with the indexes of the items that no register holds. */
async function checkInRegistry(db: Db, items: readonly OrderItem[]): Promise<CheckedItem[]> {
  const rows = await db.query<{ known: boolean; hasContact: boolean }>(lookUpItems, [
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
  ])
  const checked = items.map((item, index) => ({ ...item, known: false, hasContact: false, ...rows[index], index }))
  const missing = checked.filter(({ known }) => !known)
  const [first] = missing
  if (first) {
    const more = missing.length > 1 ? ` ${missing.length - 1} more item(s) are not either.` : ''
    throw new AppError('NOT_FOUND', `items[${first.index}]: ${first.identifier} is not in the register.${more}`, {
      extra: { index: first.index, indexes: missing.map(({ index }) => index) },
    })
  }
  return checked
}

/** Writes the order as paid; the spend that follows in the same transaction makes it true or undoes it. */
async function writeOrder(tx: Tx, request: OrderRequest, items: readonly CheckedItem[]) {
  const [purchase] = await tx.query<{ order_id: string }>(
    `INSERT INTO orders.purchase
       (account_id, order_name, payment_option, status, payment_status, total_amount, items_count, paid_at)
     SELECT account_id, $2, 'credits', 'completed', 'paid', $3::integer, $3::integer, now()
     FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR KEY SHARE
     RETURNING order_id`,
    [request.accountId, request.orderName, items.length],
  )
  // The lock waits for an erasure under way, so no order of an erased account comes after it.
  if (!purchase) throw new AppError('NOT_FOUND', 'No such account.')
  const written = await tx.query<{ item_id: string; has_contact: boolean }>(
    `INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact)
     SELECT $1, ordinality - 1, type, identifier, name, has_contact
     FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[])
       WITH ORDINALITY AS item (type, identifier, name, has_contact, ordinality)
     RETURNING item_id, has_contact`,
    [
      purchase.order_id,
      items.map(({ type }) => type),
      items.map(({ identifier }) => identifier),
      items.map(({ name }) => name),
      items.map(({ hasContact }) => hasContact),
    ],
  )
  const toRefund = written.filter(({ has_contact }) => !has_contact).map(({ item_id }) => item_id)
  return { orderId: purchase.order_id, toRefund }
}

/**
 * Settles a payment that the processor reports, and completes its pending order exactly like one paid with credits:
 * the money buys credits, the order spends exactly these, items without a usable contact get theirs refunded, as do
 * those that another order bought in between, and the lead build is enqueued, all in one transaction.
 *
 * Idempotent. Money for an order that was cancelled or already paid stays as credits.
 */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { announce } from '../../notify/announce.ts'
import { orderInMail } from '../../notify/mails/order-in-mail.ts'
import { queueMail } from '../../notify/mails/queue-mail.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { creditsSold, issueInvoice } from '../invoices/issue-invoice.ts'
import { linesOfOrder, recordsSold } from '../invoices/order-lines.ts'
import { type Charge, creditByCredit, refundItems, spendOfSale } from '../ledger.ts'
import { sellCredits } from '../ledger-money.ts'
import { holdAndFindOwned } from '../owned-items.ts'
import { orderMoves, paymentMoves, statesBefore } from '../states.ts'
import { splitTax } from '../tax.ts'
import type { PaymentNotice, PaymentOrder, PaymentProcessor } from './processor.ts'
import { takePayment } from './take-payment.ts'

/**
 * `known`: settled before. `credited`: the order was no longer pending. `unknown_order`: it is not ours, or was
 * erased.
 */
export type Settlement = 'paid' | 'known' | 'credited' | 'unknown_order'
export interface Settled {
  readonly outcome: Settlement
  readonly orderId?: string
}

interface WaitingOrder {
  readonly orderId: string
  readonly accountId: string
  readonly credits: number
  readonly payment: PaymentOrder
  readonly status: string
}

/** @throws AppError CONFLICT if the sum is not the one that was requested; the caller rolls back. */
export async function settlePayment(
  tx: Tx,
  queue: JobSender,
  { provider, seller }: Pick<PaymentProcessor, 'provider' | 'seller'>,
  notice: PaymentNotice,
): Promise<Settled> {
  const order = await holdOrder(tx, provider, notice.paymentOrderId)
  if (!order) return { outcome: 'unknown_order' }
  const { orderId, accountId, credits, payment, status } = order
  if (!(await takePayment(tx, provider, notice, { order: orderId }, payment))) return { outcome: 'known', orderId }
  const reference = `payment:${provider}:${notice.paymentId}`
  const parts = splitTax(notice.amount)
  const { lotId } = await sellCredits(tx, accountId, {
    credits,
    reference,
    ...parts,
    fee: notice.fee,
    feeTax: notice.feeTax,
    memo: 'online payment',
  })
  const moved = await tx.execute(
    `UPDATE orders.purchase SET status = 'completed', payment_status = 'paid', paid_at = now()
     WHERE order_id = $1 AND status = ANY($2) AND payment_status = ANY($3)`,
    [orderId, statesBefore(orderMoves, 'completed'), statesBefore(paymentMoves, 'paid')],
  )
  const isCredits = moved === 0
  const description = isCredits ? creditsSold(credits) : recordsSold(credits)
  const lines = isCredits
    ? [{ description, quantity: credits, net: parts.net }]
    : await linesOfOrder(tx, { orderId }, parts.net)
  await issueInvoice(tx, seller, { accountId, reference, description, lines, ...parts })
  if (isCredits) {
    // By e-mail only: for a webhook, `order.paid` means that the order is paid.
    const payload = { order_id: orderId, credits, paise: notice.amount, came_after: status }
    const data = { ...payload, ...(await orderInMail(tx, orderId)) }
    await queueMail(tx, accountId, 'order.paid', { about: notice.paymentId, data })
    return { outcome: 'credited', orderId }
  }
  const charges = await spendOfSale(tx, accountId, { orderId, credits, lotId })
  const { unreachable, bought } = await chargeItems(tx, { accountId, orderId }, charges)
  await refundItems(tx, accountId, unreachable, 'no_contact', { memo: 'no contact data' })
  await refundItems(tx, accountId, bought, 'owned', { memo: 'bought by another order meanwhile' })
  await queue.send(tx, queues.buildLeads, { orderId })
  const payload = { order_id: orderId, credits }
  const mail = { ...payload, paise: notice.amount, ...(await orderInMail(tx, orderId)) }
  await announce(tx, accountId, 'order.paid', payload, { about: orderId, data: mail })
  return { outcome: 'paid', orderId }
}

/** Locks the account against its erasure, and then the order against a cancellation, until the transaction ends. */
async function holdOrder(tx: Tx, provider: string, paymentOrderId: string): Promise<WaitingOrder | undefined> {
  const byPayment = 'order_id = orders.order_of_payment($1, $2)'
  await tx.query(
    sql`SELECT FROM access.account WHERE account_id = (SELECT account_id FROM orders.purchase WHERE ${byPayment})
     FOR KEY SHARE`,
    [provider, paymentOrderId],
  )
  const [order] = await tx.query<WaitingOrder>(
    sql`SELECT order_id AS "orderId", account_id AS "accountId", total_amount AS credits, payment, status
     FROM orders.purchase WHERE ${byPayment} FOR UPDATE`,
    [provider, paymentOrderId],
  )
  return order
}

interface Charged {
  readonly itemId: string
  readonly type: string
  readonly identifier: string
  readonly isOwned: boolean
}

/**
 * Looks up contacts and owned items again, now that the leads are bought: an item that was owned stays free only if
 * the charge for it still holds.
 * @returns the charged items without contact data, and those that another order has bought since this one was placed.
 */
async function chargeItems(
  tx: Tx,
  { accountId, orderId }: Pick<WaitingOrder, 'accountId' | 'orderId'>,
  charges: readonly Charge[],
): Promise<{ readonly unreachable: string[]; readonly bought: string[] }> {
  const items = await tx.query<Charged>(
    `SELECT item_id AS "itemId", type, identifier, already_owned AS "isOwned"
     FROM orders.item WHERE order_id = $1 ORDER BY position`,
    [orderId],
  )
  const { reached, owned } = await holdAndFindOwned(tx, accountId, items)
  const paying = creditByCredit(charges).values()
  await tx.execute(
    `UPDATE orders.item SET has_contact = found.has_contact, charge_id = found.charge_id
     FROM unnest($1::uuid[], $2::boolean[], $3::bigint[]) AS found (item_id, has_contact, charge_id)
     WHERE item.item_id = found.item_id`,
    [
      items.map(({ itemId }) => itemId),
      items.map((_, index) => reached[index] === true),
      items.map(({ isOwned }) => (isOwned ? null : (paying.next().value ?? null))),
    ],
  )
  const ids = (of: readonly Charged[]) => of.map(({ itemId }) => itemId)
  await tx.query('SELECT orders.withdraw_copies($1)', [ids(items.filter(({ isOwned }) => isOwned))])
  return {
    unreachable: ids(items.filter(({ isOwned }, index) => !isOwned && reached[index] !== true)),
    bought: ids(items.filter(({ isOwned }, index) => !isOwned && reached[index] === true && owned.has(index))),
  }
}

/**
 * Settles money that was given back: a refund by the seller, or a chargeback by the buyer's bank. The sale is
 * reversed by the same amount: its money and tax, and what is left of its own credits. An order whose payments were
 * all given back is refunded and no longer shows its leads. The buyer is notified.
 *
 * Idempotent. Partial refunds add up to the whole; what a bank takes beyond the payment is owed by the buyer.
 */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { issueCreditNote } from '../invoices/issue-invoice.ts'
import { linesOfOrder } from '../invoices/order-lines.ts'
import { bookOverpaid, takeBackSale } from '../ledger-money.ts'
import { paymentMoves, statesBefore } from '../states.ts'
import { findTerm, takeBackPaidTerm } from '../subscriptions/take-back-term.ts'
import { shareOf, taxOfPart } from '../tax.ts'
import { notifyRefund } from './notify-refund.ts'
import type { RefundNotice } from './processor.ts'

export type Repaid = { readonly outcome: 'repaid' | 'known' | 'unknown_order'; readonly orderId?: string }

interface PaidSale {
  /** Id of the order, or of the purchase of credits. */
  readonly orderId: string
  readonly isOrder: boolean
  readonly accountId: string
  /** Paise paid, and the tax within them. */
  readonly amount: number
  readonly currency: string
  readonly tax: number
  readonly credits: number
}

/** @throws AppError CONFLICT for a refund of more money than was paid, or in another currency; nothing was written. */
export async function settleRepayment(tx: Tx, provider: string, notice: RefundNotice): Promise<Repaid> {
  const sale = await holdSale(tx, provider, notice.paymentId)
  if (!sale) return { outcome: 'unknown_order' }
  const { orderId } = sale
  const [earlier] = await tx.query<{ amount: number; known: boolean }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS amount, coalesce(bool_or(refund_id = $3), false) AS known
     FROM orders.repayment WHERE provider = $1 AND payment_id = $2`,
    [provider, notice.paymentId, notice.refundId],
  )
  if (earlier?.known) return { outcome: 'known', orderId }
  const before = earlier?.amount ?? 0
  const after = before + notice.amount
  if (notice.currency !== sale.currency) {
    throw new AppError('CONFLICT', `The payment came in ${sale.currency}, and went back in ${notice.currency}.`)
  }
  // A refund that exceeds the payment must be a mistake; a chargeback can exceed it.
  if (after > sale.amount && notice.cause === 'refund') {
    throw new AppError('CONFLICT', `${after} paise were refunded of a payment of ${sale.amount}.`)
  }
  await tx.execute(
    `INSERT INTO orders.repayment (provider, refund_id, payment_id, order_id, checkout_id, cause, amount, currency)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[provider, notice.refundId, notice.paymentId, sale.isOrder ? orderId : null, sale.isOrder ? null : orderId],
      ...[notice.cause, notice.amount, notice.currency],
    ],
  )
  const named = await namedItems(tx, provider, notice)
  // Before the credits are revoked, so that held ones are released first.
  const isWhole = await isWithoutMoney(tx, orderId)
  if (sale.isOrder && isWhole) await tx.query('SELECT orders.take_goods_back($1)', [orderId])
  const [from, to] = [Math.min(before, sale.amount), Math.min(after, sale.amount)]
  const step = { before: from, after: to, total: sale.amount }
  const took = to > from ? await takeBack(tx, provider, notice, { ...sale, isWhole, named }, step) : undefined
  await markMade(tx, provider, notice, isWhole ? null : (took?.items ?? []))
  const paise = after - Math.max(before, sale.amount)
  if (paise > 0) {
    const reference = `repayment:${provider}:${notice.refundId}`
    await bookOverpaid(tx, sale.accountId, { reference, paise, memo: 'charged back beyond the payment' })
  }
  if (isWhole) {
    await tx.execute(
      `UPDATE orders.purchase SET payment_status = 'refunded' WHERE order_id = $1 AND payment_status = ANY ($2)`,
      [orderId, statesBefore(paymentMoves, 'refunded')],
    )
    await tx.execute(`UPDATE orders.checkout SET status = 'refunded' WHERE checkout_id = $1 AND status = 'paid'`, [
      orderId,
    ])
  }
  await notifyRefund(tx, { ...notice, ...sale, amount: notice.amount, creditNote: took?.creditNote })
  return { outcome: 'repaid', orderId }
}

/** True if every payment for the order or purchase $1 was given back in full. */
const isMoneyBack = `(SELECT sum(amount) FROM orders.payment WHERE order_id = $1 OR checkout_id = $1)
         <= (SELECT sum(amount) FROM orders.repayment WHERE order_id = $1 OR checkout_id = $1)`

async function isWithoutMoney(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx.query<{ isBack: boolean }>(sql`SELECT ${isMoneyBack} AS "isBack"`, [id])
  return row?.isBack === true
}

const requestedHere = `request_id = $1 AND provider = $2 AND payment_id = $3 AND status <> 'made'`

/** The rows that an operator named for this refund. */
async function namedItems(
  tx: Tx,
  provider: string,
  { requestId, paymentId }: RefundNotice,
): Promise<readonly string[]> {
  if (requestId === undefined || !isUuid(requestId)) return []
  const [request] = await tx.query<{ items: string[] | null }>(
    sql`SELECT items FROM orders.refund WHERE ${requestedHere} FOR NO KEY UPDATE`,
    [requestId, provider, paymentId],
  )
  return request?.items ?? []
}

/** Marks the operator's request as made, whichever report confirmed it. */
async function markMade(
  tx: Tx,
  provider: string,
  { requestId, paymentId, refundId }: RefundNotice,
  taken: readonly string[] | null,
): Promise<void> {
  if (requestId === undefined || !isUuid(requestId)) return
  await tx.execute(
    sql`UPDATE orders.refund SET status = 'made', refund_id = $4, taken = $5, detail = NULL, answered_at = now()
     WHERE ${requestedHere}`,
    [requestId, provider, paymentId, refundId, taken],
  )
}

interface TakenBack {
  /** Rows whose credit was revoked with the money. */
  readonly items: readonly string[]
  readonly creditNote: string | undefined
}

async function takeBack(
  tx: Tx,
  provider: string,
  { paymentId, refundId, cause }: RefundNotice,
  sold: PaidSale & { readonly isWhole: boolean; readonly named: readonly string[] },
  step: Parameters<typeof shareOf>[1],
): Promise<TakenBack> {
  const { accountId, credits, tax, orderId, isWhole, named } = sold
  const { total, before } = step
  const amount = step.after - before
  const sale = `payment:${provider}:${paymentId}`
  const backTax = taxOfPart({ total, tax, before, taxBefore: await taxGivenBack(tx, accountId, sale), amount })
  const backNet = amount - backTax
  const reference = `repayment:${provider}:${refundId}`
  const memo = cause === 'refund' ? 'payment refunded' : 'payment charged back'
  const term = await findTerm(tx, sale)
  const money = { reference, memo, net: backNet, tax: backTax, isChargeback: cause === 'chargeback' }
  // A row that is taken back loses its whole credit, however small the refunded part.
  const due = Math.max(shareOf(term?.credits ?? credits, step), named.length)
  // Of a plan that was paid twice each payment has a term; what both bought goes once no money is left.
  const lots = [...(term?.lots ?? []), ...(term && !isWhole ? [] : await lotsOfSale(tx, accountId, provider, orderId))]
  const revoked = await tx.query<{ id: string }>('SELECT orders.take_sale_back($1, $2, $3, $4) AS id', [
    ...[lots, due, isWhole, named],
  ])
  const ids = revoked.map(({ id }) => id)
  // What was used is owed, even if the hourly job has not earned it yet; the accounts of these lots are locked by now.
  if (cause === 'chargeback') await tx.query('SELECT ledger.earn_lots($1, $2)', [lots, lots.length])
  if (term) {
    const days = (term.days * amount) / total
    await takeBackPaidTerm(tx, term, { ...money, days, credits: due })
  } else {
    await takeBackSale(tx, accountId, { ...money, sale, credits: due, lots })
  }
  const records = await linesOfOrder(tx, { items: ids }, backNet)
  const lines = records.length > 0 ? { lines: records } : {}
  const description = cause === 'refund' ? 'Refund of' : 'Chargeback of'
  const note = { accountId, reference, description, ...lines, net: backNet, tax: backTax }
  return { items: ids, creditNote: await issueCreditNote(tx, sale, note) }
}

/** Tax of the sale that was given back before. */
async function taxGivenBack(tx: Tx, accountId: string, sale: string): Promise<number> {
  const [row] = await tx.query<{ paise: number }>(
    `SELECT coalesce(sum(back.amount), 0)::bigint AS paise
     FROM ledger.transfer AS sold JOIN ledger.account ON ledger_account_id = sold.customer_id
     JOIN ledger.transfer AS back ON back.reverses = sold.transfer_id AND back.kind = 'repay_tax'
     WHERE owner_id = $1 AND sold.reference = $2 || ':tax'`,
    [accountId, sale],
  )
  return row?.paise ?? 0
}

/** The lots that only payments for this order or purchase filled; older lots that several sales share are left out. */
async function lotsOfSale(tx: Tx, accountId: string, provider: string, id: string): Promise<number[]> {
  const lots = await tx.query<{ lotId: number }>(
    `SELECT lot_id AS "lotId" FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
     WHERE owner_id = $1 AND sale IN (
       SELECT 'payment:' || $2 || ':' || payment_id FROM orders.payment WHERE provider = $2 AND (order_id = $3 OR checkout_id = $3))
     ORDER BY lot_id`,
    [accountId, provider, id],
  )
  return lots.map(({ lotId }) => lotId)
}

/** Locks account and order until the transaction ends, so that partial refunds of a payment run in sequence. */
async function holdSale(tx: Tx, provider: string, paymentId: string): Promise<PaidSale | undefined> {
  const [paid] = await tx.query<{ orderId: string; isOrder: boolean }>(
    `SELECT coalesce(order_id, checkout_id) AS "orderId", order_id IS NOT NULL AS "isOrder"
     FROM orders.payment WHERE provider = $1 AND payment_id = $2`,
    [provider, paymentId],
  )
  if (!paid) return undefined
  const table = paid.isOrder ? 'orders.purchase' : 'orders.checkout'
  const key = paid.isOrder ? 'order_id' : 'checkout_id'
  await tx.query(
    sql`SELECT FROM access.account WHERE account_id = (SELECT account_id FROM ${table} WHERE ${key} = $1) FOR NO KEY UPDATE`,
    [paid.orderId],
  )
  const [held] = await tx.query<{ accountId: string }>(
    sql`SELECT account_id AS "accountId" FROM ${table} WHERE ${key} = $1 FOR UPDATE`,
    [paid.orderId],
  )
  const [sale] = await tx.query<Omit<PaidSale, 'orderId' | 'isOrder' | 'accountId'>>(
    `SELECT payment.amount, payment.currency, coalesce(sold.amount, 0)::bigint AS credits, coalesce(tax.amount, 0)::bigint AS tax
     FROM orders.payment
     LEFT JOIN ledger.transfer AS sold ON sold.reference = $3
     LEFT JOIN ledger.transfer AS tax ON tax.reference = $3 || ':tax'
     WHERE payment.provider = $1 AND payment.payment_id = $2`,
    [provider, paymentId, `payment:${provider}:${paymentId}`],
  )
  return held && sale ? { ...paid, ...held, ...sale } : undefined
}

/**
 * Queries the processor about pending orders, so that no payment is lost with its notice: payments are settled as by
 * a notice, orders not paid in time expire, refunds whose notice was lost are booked, and unanswered refund requests
 * are repeated. Each order is settled in its own transaction; a repeated run, or a concurrent notice of the same
 * fact, changes nothing twice.
 */
import { pendingPayments } from '../../../config/plans.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { orderMoves, paymentMoves, statesBefore } from '../states.ts'
import { askForRefund, type IssuedRefund, recordReason, waitingRefunds } from './issue-refund.ts'
import { recordEvent } from './payment-events.ts'
import type { PaymentNotice, PaymentProcessor } from './processor.ts'
import { eventOriginOf, type Received, receiveEarly, receiveEvent } from './receive-event.ts'

export interface ReconcileParts {
  readonly db: Db
  readonly queue: JobSender
  readonly processor: PaymentProcessor
}

export interface Reconciled {
  /** Orders and payments that were queried. */
  readonly checked: number
  /** Payments and refunds that were not known before. */
  readonly settled: number
  /** Orders that ended unpaid. */
  readonly expired: number
  /** The processor's reply was unusable, or the reported fact could not be booked and waits for an operator. */
  readonly refused: number
}

export interface Waiting {
  readonly orderId: string
  readonly paymentOrderId: string
  readonly overdue: boolean
}

const nothing: Reconciled = { checked: 0, settled: 0, expired: 0, refused: 0 }
const sum = (a: Reconciled, b: Reconciled): Reconciled => ({
  checked: a.checked + b.checked,
  settled: a.settled + b.settled,
  expired: a.expired + b.expired,
  refused: a.refused + b.refused,
})

/**
 * @param only an order, a purchase or a payment, ours or the processor's, of any age; default: all that are old
 * enough, or recent payments.
 * @throws AppError NOT_FOUND for an unknown id. If the processor is unavailable or refuses the key, what was settled
 * before is kept.
 */
export async function reconcilePayments(parts: ReconcileParts, only?: string): Promise<Reconciled> {
  const orders = await waitingOrders(parts, only)
  const payments = await paid(parts, only)
  if (only !== undefined && orders.length + payments.length === 0) {
    throw new AppError('NOT_FOUND', `No order, purchase or payment of ${parts.processor.provider} has the id ${only}.`)
  }
  let found = nothing
  for (const waiting of orders) found = sum(found, await askFor(parts, waiting))
  for (const paymentId of payments) found = sum(found, await askForRefunds(parts, paymentId))
  found = (await earlyFacts(parts, payments)).map(counted).reduce(sum, found)
  const filter = { provider: parts.processor.provider, payments: only === undefined ? undefined : payments }
  for (const request of await waitingRefunds(parts.db, filter, pendingPayments.askedMax)) {
    found = sum(found, await askAgain(parts, request))
  }
  return found
}

async function askFor(parts: ReconcileParts, waiting: Waiting): Promise<Reconciled> {
  const { db, queue, processor } = parts
  const payments = await answered(() => processor.listPaymentsFor(waiting.paymentOrderId))
  if (!payments) return { ...nothing, checked: 1, refused: 1 }
  const eventOrigin = { ...eventOriginOf(processor), source: 'reconcile' as const }
  let found: Reconciled = { ...nothing, checked: 1 }
  for (const payment of payments) {
    const event = { name: 'payment', kind: 'paid', payment: ofOrder(payment, waiting) } as const
    found = sum(found, await settled(receiveEvent(db, queue, eventOrigin, event)))
  }
  if (payments.length > 0 || !waiting.overdue) return found
  return (await endUnpaid(parts, waiting)) ? { ...found, expired: 1 } : found
}

interface RefundsFound extends Reconciled {
  /** Ids of our requests that the processor has accepted; undefined if it did not list its refunds. */
  readonly pending: readonly (string | undefined)[] | undefined
}

async function askForRefunds({ db, queue, processor }: ReconcileParts, paymentId: string): Promise<RefundsFound> {
  const refunds = await answered(() => processor.refundsOf(paymentId))
  if (!refunds) return { ...nothing, checked: 1, refused: 1, pending: undefined }
  const eventOrigin = { ...eventOriginOf(processor), source: 'reconcile' as const }
  let found: Reconciled = { ...nothing, checked: 1 }
  for (const { state, ...refund } of refunds) {
    if (state === 'pending') continue
    const event = { name: 'refund', kind: state === 'failed' ? 'refund_failed' : 'repaid', refund } as const
    found = sum(found, await settled(receiveEvent(db, queue, eventOrigin, event)))
  }
  return { ...found, pending: refunds.flatMap(({ state, requestId }) => (state === 'pending' ? requestId : [])) }
}

/** Repeats an unanswered refund request: the process that sent it may have crashed before the call or after it. */
async function askAgain(parts: ReconcileParts, request: IssuedRefund): Promise<Reconciled> {
  // It may have been accepted, or made and its notice lost. The processor lists it by our id for longer than it keeps
  // idempotency keys.
  const listed = await askForRefunds(parts, request.payment_id)
  if (!listed.pending) {
    const reason = 'The processor does not list the refunds of this payment, so this one is not requested again.'
    await recordReason(parts.db, request.request_id, reason)
  }
  if (!listed.pending || listed.pending.includes(request.request_id)) return sum(listed, { ...nothing, checked: 1 })
  const filter = { provider: parts.processor.provider, payments: [request.payment_id] }
  const still = await waitingRefunds(parts.db, filter, pendingPayments.askedMax)
  if (!still.some(({ request_id: id }) => id === request.request_id)) return sum(listed, { ...nothing, checked: 1 })
  const made = await answered(async () => ((await askForRefund(parts, request)).status === 'made' ? 1 : 0))
  return sum(listed, { ...nothing, checked: 1, settled: made ?? 0 })
}

/** The reply belongs to the order that was queried, so its id is used. */
const ofOrder = (payment: PaymentNotice, { paymentOrderId }: Waiting): PaymentNotice => ({ ...payment, paymentOrderId })

/** A refusal of one order does not stop the others; an unavailable processor ends the run. */
async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_REFUSED') return undefined
    throw error
  }
}

function earlyFacts({ db, queue, processor }: ReconcileParts, payments: readonly string[]): Promise<Received[]> {
  return receiveEarly(db, queue, { ...eventOriginOf(processor), source: 'reconcile' }, payments)
}

const settled = async (settle: ReturnType<typeof receiveEvent>) => counted(await settle)

/** A fact that could not be booked is logged, and does not hold up the others. */
function counted({ outcome }: Received): Reconciled {
  if (['mismatch', 'parked', 'unknown_order', 'erased_account'].includes(outcome)) return { ...nothing, refused: 1 }
  return outcome === 'known' ? nothing : { ...nothing, settled: 1 }
}

async function endUnpaid({ db, processor }: ReconcileParts, { orderId, paymentOrderId }: Waiting): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await tx.execute(
      `UPDATE orders.purchase SET status = 'expired', payment_status = 'cancelled', cancelled_at = now()
       WHERE order_id = $1 AND status = ANY ($2) AND payment_status = ANY ($3)`,
      [orderId, statesBefore(orderMoves, 'expired'), statesBefore(paymentMoves, 'cancelled')],
    )
    const dropped = await tx.execute(
      `UPDATE orders.checkout SET status = 'expired' WHERE checkout_id = $1 AND status = 'pending'`,
      [orderId],
    )
    if (ended + dropped === 0) return false
    const event = { name: 'order', outcome: 'expired' as const, paymentOrderId, orderId }
    await recordEvent(tx, { provider: processor.provider, source: 'reconcile', ...event })
    return true
  })
}

/** Of an erased account, the log still has which payment was requested. */
function waitingOrders({ db, processor }: ReconcileParts, only: string | undefined): Promise<Waiting[]> {
  return db.query<Waiting>(
    `WITH sold AS NOT MATERIALIZED (
       SELECT order_id AS id, account_id, status, created_at, payment FROM orders.purchase
       UNION ALL SELECT checkout_id, account_id, status, created_at, payment FROM orders.checkout
     ), waiting AS (
       SELECT id, status, created_at, payment ->> 'provider' AS provider, payment ->> 'id' AS "paymentOrderId"
       FROM sold WHERE payment IS NOT NULL
       UNION ALL
       SELECT id, status, sold.created_at, provider, payment_order_id
       FROM sold JOIN access.account USING (account_id) JOIN orders.payment_event ON payment_event.order_id = id
       WHERE payment IS NULL AND erased_at IS NOT NULL AND outcome = 'asked'
         AND ($3::text IS NOT NULL OR sold.created_at > now() - make_interval(hours => $6))
     )
     SELECT id AS "orderId", "paymentOrderId", status = 'pending' AND created_at < now() - make_interval(hours => $2) AS overdue
     FROM waiting
     WHERE status IN ('pending', 'cancelled', 'expired') AND provider = $1
       AND CASE WHEN $3::text IS NULL
                THEN created_at < now() - make_interval(mins => $4)
                     AND (status = 'pending' OR created_at > now() - make_interval(hours => $6))
                ELSE $3 IN (id::text, "paymentOrderId") END
     ORDER BY created_at LIMIT $5`,
    [
      ...[processor.provider, pendingPayments.endAfterHours, only ?? null],
      ...[pendingPayments.askAfterMinutes, pendingPayments.askedMax, pendingPayments.askUntilHours],
    ],
  )
}

/** Recent payments that are not fully refunded, or those of the named id. */
async function paid({ db, processor }: ReconcileParts, only: string | undefined): Promise<string[]> {
  const rows = await db.query<{ paymentId: string }>(
    `SELECT payment_id AS "paymentId" FROM orders.payment
     LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
     WHERE provider = $1
       AND CASE WHEN $3::text IS NULL
                THEN coalesce(payment_status, checkout.status) <> 'refunded' AND received_at > now() - make_interval(days => $2)
                ELSE $3 IN (payment_id, order_id::text, checkout_id::text, coalesce(purchase.payment, checkout.payment) ->> 'id') END
     ORDER BY received_at DESC LIMIT $4`,
    [processor.provider, pendingPayments.refundDays, only ?? null, pendingPayments.askedMax],
  )
  return rows.map(({ paymentId }) => paymentId)
}

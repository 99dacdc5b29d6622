/**
 * Handles what a processor reports, by webhook or in reply to a query. The order, the ledger and the log of the event
 * change in one transaction. No fact is rejected: one that matches no order, has another sum, or that the ledger does
 * not accept moves nothing and is logged with the reason, for an operator. A repeated fact is known; once a parked
 * one can be booked, it is, and is closed.
 */
import type { Seller } from '../../../config/seller.ts'
import { isRefusedForGood } from '../../db/database-fault.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { closeEarly, closeParked, isRepeated, recordParked } from './parked-events.ts'
import { type EventOutcome, type EventSource, factsOf, orderAskedFor, recordEvent } from './payment-events.ts'
import type { DisputeHold, PaymentEvent, PaymentProcessor } from './processor.ts'
import { reportedEarly } from './reported-early.ts'
import { settleCheckout } from './settle-checkout.ts'
import { settleDispute } from './settle-dispute.ts'
import { settleFailedRefund } from './settle-failed-refund.ts'
import { settlePayment } from './settle-payment.ts'
import { settleRepayment } from './settle-repayment.ts'

export interface Received {
  readonly outcome: EventOutcome
  readonly orderId?: string | undefined
  /** Why it could not be booked. */
  readonly detail?: string
}

export interface EventOrigin {
  readonly provider: string
  /** For the invoice of a payment. */
  readonly seller: Seller | undefined
  readonly source: EventSource
  /** Default: off. */
  readonly disputeHold?: DisputeHold | undefined
  /** Without it, facts that arrived before their payment wait for an operator. */
  readonly readAgain?: PaymentProcessor['readAgain'] | undefined
}

export const eventOriginOf = ({ provider, seller, disputeHold, readAgain }: Omit<EventOrigin, 'source'>) => ({
  provider,
  seller,
  disputeHold,
  readAgain,
})

/**
 * A payment also books the facts that arrived before it.
 * @throws transient errors: a database that is unavailable, or a transaction that lost to another.
 */
export async function receiveEvent(
  db: Db,
  queue: JobSender,
  eventOrigin: EventOrigin,
  event: PaymentEvent,
): Promise<Received> {
  const received = await receive(db, queue, eventOrigin, event)
  if (event.kind === 'paid' && (received.outcome === 'paid' || received.outcome === 'credited')) {
    await receiveEarly(db, queue, eventOrigin, [event.payment.paymentId])
  }
  return received
}

/** @param paymentIds payments that are booked. @returns what became of the facts that arrived before them. */
export async function receiveEarly(
  db: Db,
  queue: JobSender,
  eventOrigin: EventOrigin,
  paymentIds: readonly string[],
): Promise<Received[]> {
  const { provider, readAgain } = eventOrigin
  if (!readAgain) return []
  const received: Received[] = []
  for (const event of await reportedEarly(db, { provider, readAgain }, paymentIds)) {
    received.push(await receive(db, queue, eventOrigin, event))
  }
  return received
}

async function receive(
  db: Db,
  queue: JobSender,
  { source, ...eventOrigin }: EventOrigin,
  event: PaymentEvent,
): Promise<Received> {
  const facts = { provider: eventOrigin.provider, source, ...factsOf(event) }
  if (event.kind === 'unread') {
    await recordParked(db, { ...facts, outcome: 'parked' })
    return { outcome: 'parked', detail: event.why }
  }
  if (event.kind === 'refund_failed') return db.transaction((tx) => settleFailedRefund(tx, facts, event.refund))
  try {
    return await db.transaction(async (tx) => {
      const received = await settle(tx, queue, eventOrigin, event)
      await closeParked(tx, facts, received.outcome)
      await closeEarly(tx, facts, received.outcome, event.kind)
      const outcome = (await isRepeated(tx, facts, received.outcome)) ? 'known' : received.outcome
      // A processor that is polled reports the same facts each time; only the first is logged.
      if (source === 'webhook' || outcome !== 'known') await recordEvent(tx, { ...facts, ...received, outcome })
      return received
    })
  } catch (error) {
    const parked = whyParked(error)
    if (parked === undefined) throw error
    await recordParked(db, { ...facts, ...parked })
    return parked
  }
}

async function settle(
  tx: Tx,
  queue: JobSender,
  { provider, seller, disputeHold = 'off' }: Omit<EventOrigin, 'source'>,
  event: Exclude<PaymentEvent, { readonly kind: 'unread' | 'refund_failed' }>,
): Promise<Received> {
  if (event.kind === 'other') return { outcome: 'ignored' }
  if (event.kind === 'disputed') return settleDispute(tx, provider, disputeHold, event.dispute)
  if (event.kind === 'repaid') return settleRepayment(tx, provider, event.refund)
  const settled: Received =
    (await settleCheckout(tx, { provider, seller }, event.payment)) ??
    (await settlePayment(tx, queue, { provider, seller }, event.payment))
  if (settled.outcome !== 'unknown_order') return settled
  const orderId = await orderAskedFor(tx, provider, event.payment.paymentOrderId)
  return orderId ? { outcome: 'erased_account', orderId: orderId } : settled
}

/** @returns undefined for an error that may not occur on the next attempt. */
function whyParked(error: unknown): Required<Pick<Received, 'outcome' | 'detail'>> | undefined {
  if (!(error instanceof Error)) return undefined
  const isOurs = error instanceof AppError && error.retry === 'never'
  if (!isOurs && !isRefusedForGood(error)) return undefined
  return { outcome: isOurs && error.code === 'CONFLICT' ? 'mismatch' : 'parked', detail: error.message.slice(0, 500) }
}

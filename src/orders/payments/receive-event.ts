/**
 * What a processor tells goes in, by its webhook or by its answer to a question; the order, the books and the record of
 * the event move together in one transaction. What fits no order, or another sum, moves nothing and is recorded all the
 * same, for an operator to see to. Told again, it is known.
 */
import type { Seller } from '../../../config/seller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { type EventOutcome, type EventSource, factsOf, orderAskedFor, recordEvent } from './payment-events.ts'
import type { PaymentEvent, PaymentProcessor } from './processor.ts'
import { settleCheckout } from './settle-checkout.ts'
import { settlePayment } from './settle-payment.ts'
import { settleRepayment } from './settle-repayment.ts'

export interface Received {
  readonly outcome: EventOutcome
  readonly orderId?: string | undefined
}

export interface Teller {
  readonly provider: string
  /** For the invoice of what is paid. */
  readonly seller: Seller | undefined
  readonly source: EventSource
}

export const tellerOf = ({ provider, seller }: Pick<PaymentProcessor, 'provider' | 'seller'>) => ({ provider, seller })

/** @throws AppError CONFLICT for another sum than was asked for, after it was recorded. */
export async function receiveEvent(
  db: Db,
  queue: JobSender,
  { provider, seller, source }: Teller,
  event: PaymentEvent,
): Promise<Received> {
  const facts = { provider, source, ...factsOf(event) }
  try {
    return await db.transaction(async (tx) => {
      const settled: Received =
        event.kind === 'paid'
          ? ((await settleCheckout(tx, { provider, seller }, event.payment)) ??
            (await settlePayment(tx, queue, { provider, seller }, event.payment)))
          : event.kind === 'repaid'
            ? await settleRepayment(tx, provider, event.refund)
            : { outcome: 'ignored' }
      const asked =
        settled.outcome === 'unknown_order' && event.kind === 'paid'
          ? await orderAskedFor(tx, provider, event.payment.paymentOrderId)
          : undefined
      const received: Received = asked ? { outcome: 'erased_account', orderId: asked } : settled
      // Asked again and again, a processor tells the same; the first time is the record.
      if (source === 'webhook' || received.outcome !== 'known') await recordEvent(tx, { ...facts, ...received })
      return received
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') {
      await recordEvent(db, { ...facts, outcome: 'mismatch', detail: error.message })
    }
    throw error
  }
}

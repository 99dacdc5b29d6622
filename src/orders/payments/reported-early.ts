/**
 * Notices can arrive out of order: a fact about a payment that was not known yet was logged but not booked. Once the
 * payment is booked, these facts are read from the log again, in the order in which they arrived.
 */
import type { Queryable } from '../../db/db.ts'
import type { PaymentEvent, PaymentProcessor, ReportedFact } from './processor.ts'

/** @param paymentIds payments that are booked. @returns each fact once, without those that an operator closed. */
export async function reportedEarly(
  db: Queryable,
  { provider, readAgain }: Pick<PaymentProcessor, 'provider' | 'readAgain'>,
  paymentIds: readonly string[],
): Promise<PaymentEvent[]> {
  const facts = await db.query<ReportedFact>(
    `SELECT name, payment_id AS "paymentId", refund_id AS "refundId", amount, currency, detail FROM orders.payment_event
     WHERE provider = $1 AND payment_id = ANY ($2) AND refund_id IS NOT NULL AND amount > 0 AND currency IS NOT NULL
       AND outcome = 'unknown_order' AND closed_at IS NULL
     GROUP BY name, payment_id, refund_id, amount, currency, detail ORDER BY min(event_id)`,
    [provider, paymentIds],
  )
  return facts.flatMap((fact) => readAgain(fact) ?? [])
}

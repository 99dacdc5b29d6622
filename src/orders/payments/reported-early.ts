/**
 * Notices may overtake each other: what a processor told of a payment that was not known yet was written down and booked nowhere. Once
 * the payment is booked, that is read again from the record, in the order in which it was told.
 */
import type { Queryable } from '../../db/db.ts'
import type { PaymentEvent, PaymentProcessor, ReportedFact } from './processor.ts'

/** @param paymentIds that are booked. @returns each fact once, and none that somebody closed. */
export async function reportedEarly(
  db: Queryable,
  { provider, readAgain }: Pick<PaymentProcessor, 'provider' | 'readAgain'>,
  paymentIds: readonly string[],
): Promise<PaymentEvent[]> {
  const told = await db.query<ReportedFact>(
    `SELECT name, payment_id AS "paymentId", refund_id AS "refundId", amount, currency, detail FROM orders.payment_event
     WHERE provider = $1 AND payment_id = ANY ($2) AND refund_id IS NOT NULL AND amount > 0 AND currency IS NOT NULL
       AND outcome = 'unknown_order' AND closed_at IS NULL
     GROUP BY name, payment_id, refund_id, amount, currency, detail ORDER BY min(event_id)`,
    [provider, paymentIds],
  )
  return told.flatMap((fact) => readAgain(fact) ?? [])
}

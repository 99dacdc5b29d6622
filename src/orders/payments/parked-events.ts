/**
 * Facts of the processor that wait for somebody: what could not be booked is written down once, however often it is told, and waits with its
 * reason until an operator closes it, or until it is booked after all.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type EventOutcome, type NewEvent, recordEvent } from './payment-events.ts'
import type { PaymentEvent } from './processor.ts'

type Fact = Omit<NewEvent, 'source' | 'outcome'>

/** Of the fact $1 to $3: processor, payment and refund. */
const ofFact = `provider = $1 AND payment_id IS NOT DISTINCT FROM $2 AND refund_id IS NOT DISTINCT FROM $3
  AND outcome IN ('mismatch', 'parked')`

const keysOf = ({ provider, paymentId, refundId }: Fact) => [provider, paymentId ?? null, refundId ?? null]

/** Another sum or reason is another thing to see to. It names the order or purchase that the processor told of under these ids before. */
export async function recordParked(db: Queryable, event: NewEvent): Promise<void> {
  const earlier = await db.query(
    sql`SELECT FROM orders.payment_event WHERE ${ofFact} AND outcome = $4
       AND amount IS NOT DISTINCT FROM $5 AND currency IS NOT DISTINCT FROM $6 AND detail IS NOT DISTINCT FROM $7 LIMIT 1`,
    [...keysOf(event), event.outcome, event.amount ?? null, event.currency ?? null, event.detail ?? null],
  )
  if (earlier.length === 0) await recordEvent(db, { ...event, orderId: await idReportedBefore(db, event) })
}

async function idReportedBefore(db: Queryable, event: NewEvent): Promise<string | undefined> {
  const [row] = await db.query<{ orderId: string }>(
    `SELECT order_id AS "orderId" FROM orders.payment_event
     WHERE provider = $1 AND order_id IS NOT NULL AND (payment_order_id = $2 OR payment_id = $3) ORDER BY event_id LIMIT 1`,
    [event.provider, event.paymentOrderId ?? null, event.paymentId ?? null],
  )
  return row?.orderId
}

/** The dispute was decided: nobody has to answer it any more. */
export async function closeDisputed(tx: Tx, provider: string, disputeId: string, note: string): Promise<void> {
  await tx.execute(
    `UPDATE orders.payment_event SET closed_at = now(), closed_by = 'system', closed_note = $3
     WHERE provider = $1 AND refund_id = $2 AND outcome = 'disputed' AND closed_at IS NULL`,
    [provider, disputeId, note],
  )
}

/**
 * What waited is booked now. What is known already books nothing, and ends the wait of its like alone: another sum, or another end of a
 * dispute, goes on waiting however often the booked one is told again.
 */
export async function closeParked(tx: Tx, fact: Fact, outcome: EventOutcome): Promise<void> {
  if (fact.paymentId === undefined) return
  await tx.execute(
    sql`UPDATE orders.payment_event SET closed_at = now(), closed_by = 'system', closed_note = 'booked since'
     WHERE ${ofFact} AND closed_at IS NULL
       AND ($4 <> 'known' OR (name = $5 AND amount IS NOT DISTINCT FROM $6 AND currency IS NOT DISTINCT FROM $7))`,
    [...keysOf(fact), outcome, fact.name, fact.amount ?? null, fact.currency ?? null],
  )
}

/** What was told before its payment is booked by now. Of a dispute, each word of the processor is a fact of its own. */
export async function closeEarly(tx: Tx, fact: Fact, outcome: EventOutcome, kind: PaymentEvent['kind']): Promise<void> {
  if (fact.paymentId === undefined || outcome === 'unknown_order' || outcome === 'erased_account') return
  await tx.execute(
    `UPDATE orders.payment_event SET closed_at = now(), closed_by = 'system', closed_note = 'booked since'
     WHERE provider = $1 AND payment_id = $2 AND refund_id IS NOT DISTINCT FROM $3 AND outcome = 'unknown_order'
       AND closed_at IS NULL AND ($4 <> 'disputed' OR name = $5)`,
    [...keysOf(fact), kind, fact.name],
  )
}

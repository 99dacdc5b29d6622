/**
 * Facts from the processor that need an operator: one that could not be booked is recorded once, however often it is
 * reported, and waits with its reason until an operator closes it or it can be booked after all.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type EventOutcome, type NewEvent, recordEvent } from './payment-events.ts'
import type { PaymentEvent } from './processor.ts'

type Fact = Omit<NewEvent, 'source' | 'outcome'>

/** Matches the parked events of a fact, by $1 to $3: processor, payment and refund. */
const ofFact = `provider = $1 AND payment_id IS NOT DISTINCT FROM $2 AND refund_id IS NOT DISTINCT FROM $3
  AND outcome IN ('mismatch', 'parked')`

const keysOf = ({ provider, paymentId, refundId }: Fact) => [provider, paymentId ?? null, refundId ?? null]

/**
 * Records a fact again if its sum or reason differs. Adds the order or purchase that the processor reported under
 * these ids before.
 */
export async function recordParked(db: Queryable, event: NewEvent): Promise<void> {
  const earlier = await db.query(
    sql`SELECT FROM orders.payment_event WHERE ${ofFact} AND outcome = $4
       AND amount IS NOT DISTINCT FROM $5 AND currency IS NOT DISTINCT FROM $6 AND detail IS NOT DISTINCT FROM $7 LIMIT 1`,
    [...keysOf(event), event.outcome, event.amount ?? null, event.currency ?? null, event.detail ?? null],
  )
  if (earlier.length === 0) await recordEvent(db, { ...event, orderId: await idReportedBefore(db, event) })
}

/**
 * Whether money without an order was reported before: a processor reports a payment under several names, and an operator
 * handles it once.
 */
export async function isRepeated(tx: Tx, fact: Fact, outcome: EventOutcome): Promise<boolean> {
  if ((outcome !== 'unknown_order' && outcome !== 'erased_account') || fact.refundId !== undefined) return false
  const earlier = await tx.query(
    `SELECT FROM orders.payment_event WHERE provider = $1 AND payment_id = $2 AND refund_id IS NULL AND outcome = $3
       AND amount IS NOT DISTINCT FROM $4 AND currency IS NOT DISTINCT FROM $5 LIMIT 1`,
    [fact.provider, fact.paymentId ?? null, outcome, fact.amount ?? null, fact.currency ?? null],
  )
  return earlier.length > 0
}

async function idReportedBefore(db: Queryable, event: NewEvent): Promise<string | undefined> {
  const [row] = await db.query<{ orderId: string }>(
    `SELECT order_id AS "orderId" FROM orders.payment_event
     WHERE provider = $1 AND order_id IS NOT NULL AND (payment_order_id = $2 OR payment_id = $3) ORDER BY event_id LIMIT 1`,
    [event.provider, event.paymentOrderId ?? null, event.paymentId ?? null],
  )
  return row?.orderId
}

/** Closes the events of a dispute that has been decided, since they need no answer any more. */
export async function closeDisputed(tx: Tx, provider: string, disputeId: string, note: string): Promise<void> {
  await tx.execute(
    `UPDATE orders.payment_event SET closed_at = now(), closed_by = 'system', closed_note = $3
     WHERE provider = $1 AND refund_id = $2 AND outcome = 'disputed' AND closed_at IS NULL`,
    [provider, disputeId, note],
  )
}

/**
 * Closes parked events that have now been booked. A fact that was already booked (`known`) only closes identical
 * events: one with another sum, or another end of a dispute, stays open however often the booked one is reported
 * again.
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

/**
 * Closes events that arrived before their payment and are booked now. For a dispute, each event name is a fact of its
 * own.
 */
export async function closeEarly(tx: Tx, fact: Fact, outcome: EventOutcome, kind: PaymentEvent['kind']): Promise<void> {
  if (fact.paymentId === undefined || outcome === 'unknown_order' || outcome === 'erased_account') return
  await tx.execute(
    `UPDATE orders.payment_event SET closed_at = now(), closed_by = 'system', closed_note = 'booked since'
     WHERE provider = $1 AND payment_id = $2 AND refund_id IS NOT DISTINCT FROM $3 AND outcome = 'unknown_order'
       AND closed_at IS NULL AND ($4 <> 'disputed' OR name = $5)`,
    [...keysOf(fact), kind, fact.name],
  )
}

/** The log of everything a processor reported or was asked. Every notice is recorded, also one that matches nothing. */
import { forgedNoticesPerHour } from '../../../config/plans.ts'
import { type Actor, audit } from '../../audit/audit.ts'
import type { Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { madeUntil } from '../../db/until.ts'
import { AppError } from '../../errors.ts'
import type { PaymentEvent, PaymentOrder } from './processor.ts'

export const eventOutcomes = [
  ...(['asked', 'paid', 'known', 'credited', 'repaid', 'charged_back'] as const),
  ...(['disputed', 'dispute_ended', 'ignored', 'mismatch', 'parked'] as const),
  ...(['unknown_order', 'erased_account', 'forged', 'expired'] as const),
] as const
export type EventOutcome = (typeof eventOutcomes)[number]
export type EventSource = 'checkout' | 'webhook' | 'reconcile' | 'operator'

/**
 * Money that is disputed, was taken back, or arrived but was not simply spent on its order: an operator should check.
 */
export const needingEyes: readonly EventOutcome[] = [
  'charged_back',
  'disputed',
  'mismatch',
  'parked',
  'unknown_order',
  'erased_account',
  'credited',
]

export interface EventRecord {
  readonly event_id: number
  readonly provider: string
  readonly source: EventSource
  readonly name: string
  readonly outcome: EventOutcome
  readonly payment_order_id: string | null
  readonly payment_id: string | null
  readonly refund_id: string | null
  /** Paise. */
  readonly amount: number | null
  readonly currency: string | null
  /** The order or the purchase that the payment is for. */
  readonly order_id: string | null
  readonly purchase_id: string | null
  readonly detail: string | null
  readonly received_at: Date
  readonly closed_at: Date | null
  readonly closed_by: string | null
  readonly closed_note: string | null
}

export interface NewEvent {
  readonly provider: string
  readonly source: EventSource
  readonly name: string
  readonly outcome: EventOutcome
  readonly paymentOrderId?: string | undefined
  readonly paymentId?: string | undefined
  readonly refundId?: string | undefined
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly orderId?: string | undefined
  readonly detail?: string | undefined
}

export async function recordEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.execute(
    `INSERT INTO orders.payment_event
       (provider, source, name, outcome, payment_order_id, payment_id, refund_id, amount, currency, order_id, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[
        event.provider,
        event.source,
        event.name,
        event.outcome,
        event.paymentOrderId ?? null,
        event.paymentId ?? null,
      ],
      ...[
        event.refundId ?? null,
        event.amount ?? null,
        event.currency ?? null,
        event.orderId ?? null,
        event.detail ?? null,
      ],
    ],
  )
}

/**
 * Recorded so that money can be matched to an order even if its account was erased and the order no longer has the
 * reference.
 */
export function recordAsked(tx: Queryable, orderId: string, payment: PaymentOrder): Promise<void> {
  const { provider, id: paymentOrderId, amount, currency } = payment
  return recordEvent(tx, {
    provider,
    source: 'checkout',
    name: 'order',
    outcome: 'asked',
    paymentOrderId,
    amount,
    currency,
    orderId,
  })
}

/** The ids and amounts of an event, as they are recorded. */
export function factsOf(event: PaymentEvent): Omit<NewEvent, 'provider' | 'source' | 'outcome'> {
  switch (event.kind) {
    case 'paid':
      return { name: event.name, ...event.payment }
    case 'repaid':
    case 'refund_failed':
      return { name: event.name, ...event.refund }
    case 'disputed': {
      const { disputeId: refundId, paymentId, state, deducted, currency, reason: detail } = event.dispute
      const amount = state === 'lost' ? deducted : event.dispute.amount
      return { name: event.name, refundId, paymentId, amount, currency, detail }
    }
    case 'unread':
      return { name: event.name, detail: event.why }
    case 'other':
      return { name: event.name }
  }
}

/** Limits the number stored per hour, so that forged notices cannot fill the disk. */
export async function recordForgery(db: Queryable, provider: string, detail: string): Promise<void> {
  await db.execute(
    `INSERT INTO orders.payment_event (provider, source, name, outcome, detail)
     SELECT $1, 'webhook', 'unreadable', 'forged', $2
     WHERE (SELECT count(*) FROM orders.payment_event
            WHERE outcome = 'forged' AND received_at > now() - interval '1 hour') < $3::integer`,
    [provider, detail, forgedNoticesPerHour],
  )
}

/** The order for which a checkout requested this payment, even if its account was erased since. */
export async function orderAskedFor(
  tx: Queryable,
  provider: string,
  paymentOrderId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ orderId: string }>(
    `SELECT order_id AS "orderId" FROM orders.payment_event
     WHERE payment_order_id = $2 AND provider = $1 AND outcome = 'asked' LIMIT 1`,
    [provider, paymentOrderId],
  )
  return row?.orderId
}

export interface EventFilter {
  readonly outcome?: EventOutcome | undefined
  /** Only events that need an operator and are not closed. */
  readonly open?: boolean | undefined
  /** An id of the processor, or of our order or purchase. */
  readonly search?: string | undefined
  /** Upper bound of the time at which they arrived. */
  readonly until?: string | undefined
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'received_at' | 'outcome' | 'amount'> | undefined
}

export const eventSorts = listSorts('received_at-', {
  by: { received_at: 'event_id', outcome: 'outcome', amount: 'amount' },
  unknownLast: ['amount'],
  tie: 'event_id DESC',
})

const isPurchase = 'EXISTS (SELECT FROM orders.checkout WHERE checkout_id = event.order_id)'

/** Newest first by default; `total` counts all pages. */
export async function listEvents(
  db: Queryable,
  filter: EventFilter,
): Promise<{ events: EventRecord[]; total: number }> {
  const where = sql`FROM orders.payment_event AS event WHERE ($1::text IS NULL OR outcome = $1)
    AND ($2::boolean IS NOT TRUE OR closed_at IS NULL AND outcome = ANY ($4))
    AND ($3::text IS NULL OR $3 IN (payment_order_id, payment_id, refund_id, order_id::text))
    AND ${madeUntil('received_at', '$5')}`
  const values = [filter.outcome ?? null, filter.open ?? null, filter.search ?? null, needingEyes, filter.until ?? null]
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${where}`, values)
  const events = await db.query<EventRecord>(
    sql`SELECT event_id, provider, source, name, outcome, payment_order_id, payment_id, refund_id, amount, currency,
            CASE WHEN NOT ${isPurchase} THEN order_id END AS order_id, CASE WHEN ${isPurchase} THEN order_id END AS purchase_id,
            detail, received_at, closed_at, closed_by, closed_note
     ${where} ORDER BY ${eventSorts.orderBy(filter.sort)} LIMIT $6 OFFSET $7`,
    [...values, filter.limit, (filter.page - 1) * filter.limit],
  )
  return { events, total: counted?.total ?? 0 }
}

/** Open events that need an operator, by outcome; outcomes without any are included. */
export async function countOpenEvents(db: Queryable): Promise<{ outcome: EventOutcome; events: number }[]> {
  return db.query('SELECT outcome, events FROM orders.count_open_events($1)', [needingEyes])
}

/** Closes an event that an operator has handled. @throws AppError NOT_FOUND if there is no such open event. */
export async function closeEvent(tx: Queryable, eventId: number, note: string, actor: Actor): Promise<void> {
  const closed = await tx.execute(
    `UPDATE orders.payment_event SET closed_at = now(), closed_by = $2, closed_note = $3
     WHERE event_id = $1 AND closed_at IS NULL AND outcome = ANY ($4)`,
    [eventId, actor, note, needingEyes],
  )
  if (closed === 0) throw new AppError('NOT_FOUND', 'There is no open payment event with this number.')
  await audit(tx, { actor, action: 'close payment event', subject: String(eventId), detail: { note } })
}

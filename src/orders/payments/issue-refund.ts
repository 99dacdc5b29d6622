/**
 * Refunds issued by an operator: the request is committed first, then sent to the processor under its own id, then
 * the reply is settled like any other refund. A crash in between leaves a pending request, which reconciliation
 * repeats under the same id, so that no money is refunded twice. One refund per reference.
 */
import { randomUUID } from 'node:crypto'
import { type Actor, audit } from '../../audit/audit.ts'
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { listPaymentsFor, type PaymentLeft } from './payment-left.ts'
import type { PaymentProcessor, RefundNotice } from './processor.ts'
import { eventOriginOf, receiveEvent } from './receive-event.ts'

export interface RefundParts {
  readonly db: Db
  readonly queue: JobSender
  readonly processor: PaymentProcessor
}

export interface IssuedRefund {
  readonly request_id: string
  readonly payment_id: string
  /** Paise, tax included. */
  readonly amount: number
  /** `asked`: in progress at the processor, or the processor was not reached; the request is repeated. */
  readonly status: 'asked' | 'made' | 'refused'
  readonly refund_id: string | null
  readonly detail: string | null
  /**
   * Rows whose credit is taken back with a partial refund; null: a full refund, which takes back everything that was
   * paid for.
   */
  readonly takes_back: readonly { readonly order_id: string; readonly index: number }[] | null
}

export interface RequestedRefund {
  /** Id of a payment, or of an order or purchase with exactly one payment. */
  readonly of: string
  /** Paise; default: the price of `items`, or what is left of the payment. */
  readonly amount?: number | undefined
  /** Indexes, from 0, of the order's rows that are taken back with the money. */
  readonly items?: readonly number[] | undefined
  readonly reference?: string | undefined
  readonly reason: string
  readonly actor: Actor
}

/**
 * @throws AppError NOT_FOUND, CONFLICT for more than is left or for nothing, and what the processor throws; the
 * request is kept.
 */
export async function issueRefund(parts: RefundParts, requested: RequestedRefund): Promise<IssuedRefund> {
  const { db, processor } = parts
  const { request, isNew } = await db.transaction((tx) => writeRequest(tx, processor.provider, requested))
  if (request.status !== 'asked') return request
  return isNew ? askForRefund(parts, request) : askUnlessListed(parts, request)
}

/** Of an earlier request: the processor lists it by our id for longer than it keeps idempotency keys. */
async function askUnlessListed(parts: RefundParts, request: IssuedRefund): Promise<IssuedRefund> {
  const { db, queue, processor } = parts
  const refunds = await processor.refundsOf(request.payment_id)
  const listed = refunds.find(({ requestId }) => requestId === request.request_id)
  if (!listed) return askForRefund(parts, request)
  const { state, ...refund } = listed
  if (state !== 'pending') {
    const event = { name: 'refund', kind: state === 'failed' ? 'refund_failed' : 'repaid', refund } as const
    await receiveEvent(db, queue, { ...eventOriginOf(processor), source: 'operator' }, event)
  }
  return readRequest(db, request.request_id)
}

/** Pending requests, oldest first. */
export async function waitingRefunds(
  db: Queryable,
  { provider, payments }: { readonly provider: string; readonly payments?: readonly string[] | undefined },
  limit: number,
): Promise<IssuedRefund[]> {
  return db.query<IssuedRefund>(
    sql`SELECT ${refundColumns} FROM orders.refund
        WHERE provider = $1 AND status = 'asked' AND ($3::text[] IS NULL OR payment_id = ANY ($3)) ORDER BY asked_at LIMIT $2`,
    [provider, limit, payments ?? null],
  )
}

/**
 * Sends the request to the processor and settles the reply. @throws what the processor throws; a refusal ends the
 * request.
 */
export async function askForRefund(parts: RefundParts, request: IssuedRefund): Promise<IssuedRefund> {
  const { db, queue, processor } = parts
  const { request_id: requestId, payment_id: paymentId, amount } = request
  const notice = await askProcessor(parts, request, () => processor.refund({ paymentId, amount, requestId }))
  if (notice) {
    const eventOrigin = { ...eventOriginOf(processor), source: 'operator' as const }
    const event = { name: 'refund', kind: 'repaid', refund: { ...notice, requestId } } as const
    const { detail } = await receiveEvent(db, queue, eventOrigin, event)
    // The money was refunded but could not be booked: the request stays pending with the event, so that it is not
    // refunded again.
    if (detail !== undefined) await recordReason(db, requestId, detail)
  }
  return readRequest(db, requestId)
}

export const refundColumns = sql`request_id, payment_id, amount, status, refund_id, detail,
  CASE WHEN status <> 'made' OR taken IS NOT NULL THEN (
    SELECT coalesce(jsonb_agg(jsonb_build_object('order_id', order_id, 'index', position) ORDER BY order_id, position), '[]')
    FROM orders.item WHERE item_id = ANY (CASE status WHEN 'asked' THEN items ELSE taken END)) END AS takes_back`

async function askProcessor(
  { db }: RefundParts,
  { request_id: requestId }: IssuedRefund,
  ask: () => Promise<RefundNotice | undefined>,
): Promise<RefundNotice | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_REFUSED') {
      await db.execute(
        `UPDATE orders.refund SET status = 'refused', detail = $2, answered_at = now()
         WHERE request_id = $1 AND status = 'asked'`,
        [requestId, error.message],
      )
    }
    throw error
  }
}

export async function recordReason(db: Queryable, requestId: string, detail: string): Promise<void> {
  await db.execute(`UPDATE orders.refund SET detail = $2 WHERE request_id = $1 AND status = 'asked'`, [
    requestId,
    detail,
  ])
}

async function readRequest(db: Queryable, requestId: string): Promise<IssuedRefund> {
  const [request] = await db.query<IssuedRefund>(
    sql`SELECT ${refundColumns} FROM orders.refund WHERE request_id = $1`,
    [requestId],
  )
  if (!request) throw new Error('a refund that was just asked for is gone')
  return request
}

async function writeRequest(
  tx: Tx,
  provider: string,
  requested: RequestedRefund,
): Promise<{ readonly request: IssuedRefund; readonly isNew: boolean }> {
  const { of, amount, items, reason, actor, reference = randomUUID() } = requested
  const payment = await holdPayment(tx, provider, of)
  const [earlier] = await tx.query<IssuedRefund>(sql`SELECT ${refundColumns} FROM orders.refund WHERE reference = $1`, [
    reference,
  ])
  if (earlier) {
    const isSame =
      earlier.payment_id === payment.id &&
      earlier.amount === (amount ?? earlier.amount) &&
      (items ?? []).every((wanted) => earlier.takes_back?.some(({ index }) => index === wanted) ?? true)
    if (isSame) return { request: earlier, isNew: false }
    throw new AppError('CONFLICT', `The reference ${reference} is already used by another refund.`)
  }
  const rows = items && (await paidItems(tx, provider, payment, items))
  const given = amount ?? rows?.paise ?? payment.left
  if (given < 1 || given > payment.left) {
    throw new AppError('CONFLICT', `Only ${shownRupees(payment.left)} of this payment is left to refund.`)
  }
  const [request] = await tx.query<IssuedRefund>(
    sql`INSERT INTO orders.refund (provider, payment_id, reference, amount, reason, actor, items)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${refundColumns}`,
    [provider, payment.id, reference, given, reason, actor, rows?.ids ?? null],
  )
  if (!request) throw new Error('the insert of a refund returned no row')
  const detail = { amount: given, reference, reason, ...(items && { items: items.slice(0, 100) }) }
  await audit(tx, { actor, action: 'refund payment', subject: payment.id, detail, accountId: payment.accountId })
  return { request, isNew: true }
}

/**
 * The rows of an order that this payment paid for, and their price.
 * @throws AppError CONFLICT for a row that the payment did not pay for, or whose credit was refunded.
 */
async function paidItems(
  tx: Tx,
  provider: string,
  payment: { readonly id: string; readonly amount: number },
  items: readonly number[],
): Promise<{ readonly ids: readonly string[]; readonly paise: number }> {
  const found = await tx.query<{ id: string; index: number; credits: number }>(
    `SELECT item.item_id AS id, position AS index, sold.amount AS credits
     FROM orders.payment
     JOIN orders.item ON item.order_id = payment.order_id
     JOIN ledger.transfer AS sold ON sold.reference = 'payment:' || $1 || ':' || $2
     JOIN ledger.transfer AS charge ON charge.transfer_id = item.charge_id AND charge.lot_id = sold.lot_id
     WHERE payment.provider = $1 AND payment.payment_id = $2 AND position = ANY ($3) AND refunded_at IS NULL AND withdrawn_at IS NULL`,
    [provider, payment.id, items],
  )
  const missing = items.find((wanted) => !found.some(({ index }) => index === wanted))
  if (missing !== undefined) {
    throw new AppError('CONFLICT', `The payment did not pay for an item ${missing}, or its credit was refunded.`)
  }
  const credits = found[0]?.credits ?? 1
  return { ids: found.map(({ id }) => id), paise: Math.floor((payment.amount * found.length) / credits) }
}

/** Locks the account, as settling does, so that no other refund takes what is left. */
async function holdPayment(tx: Tx, provider: string, of: string): Promise<PaymentLeft> {
  const [payment, ...others] = await listPaymentsFor(tx, of, provider)
  if (!payment) throw await noPayment(tx, provider, of)
  if (others.length > 0) {
    throw new AppError('CONFLICT', `There are ${others.length + 1} payments of ${of}; name one of them.`)
  }
  await tx.query('SELECT FROM access.account WHERE account_id = $1 FOR NO KEY UPDATE', [payment.accountId])
  const [held = payment] = await listPaymentsFor(tx, payment.id, provider)
  return held
}

/** Money that was reported but not booked is not part of the ledger, so there is nothing to take back here. */
async function noPayment(tx: Tx, provider: string, of: string): Promise<AppError> {
  const reported = await tx.query(
    `SELECT FROM orders.payment_event WHERE provider = $1 AND $2 IN (payment_id, payment_order_id, order_id::text)
       AND outcome IN ('mismatch', 'parked', 'unknown_order', 'erased_account') AND refund_id IS NULL LIMIT 1`,
    [provider, of],
  )
  if (reported.length === 0) return new AppError('NOT_FOUND', `There is no payment of ${of}.`)
  return new AppError(
    'NOT_FOUND',
    `The payment of ${of} is not booked. Refund it in the processor's dashboard and close its event, or settle it first.`,
  )
}

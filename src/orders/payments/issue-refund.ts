/**
 * Money that an operator gives back: the request is written and committed, then the processor is asked under the request's
 * own id, then its answer is settled like any refund. Whoever dies in between leaves a request that waits; reconciling
 * asks again under the same id, which gives nothing twice. Under one reference there is one refund.
 */
import { randomUUID } from 'node:crypto'
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { type Actor, audit } from '../../trail/audit.ts'
import type { PaymentProcessor, RefundNotice } from './processor.ts'
import { receiveEvent, tellerOf } from './receive-event.ts'

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
  /** `asked`: the processor has it under way, or was not reached; it is asked again. */
  readonly status: 'asked' | 'made' | 'refused'
  readonly refund_id: string | null
  readonly detail: string | null
}

export interface RefundAsked {
  /** Id of a payment, or of an order or purchase that one payment was made for. */
  readonly of: string
  /** Paise; what is left of the payment unless told. */
  readonly amount?: number | undefined
  readonly reference?: string | undefined
  readonly reason: string
  readonly actor: Actor
}

/** @throws AppError NOT_FOUND, CONFLICT for more than is left or for nothing, and what the processor throws; a request stays. */
export async function issueRefund(parts: RefundParts, asked: RefundAsked): Promise<IssuedRefund> {
  const { db, processor } = parts
  const request = await db.transaction((tx) => writeRequest(tx, processor.provider, asked))
  return request.status === 'asked' ? askForRefund(parts, request) : request
}

/** Of requests that wait, the oldest first. */
export async function waitingRefunds(db: Queryable, provider: string, limit: number): Promise<IssuedRefund[]> {
  return db.query<IssuedRefund>(
    sql`SELECT ${columns} FROM orders.refund WHERE provider = $1 AND status = 'asked' ORDER BY asked_at LIMIT $2`,
    [provider, limit],
  )
}

/** Asks the processor, and settles what it answers. @throws what the processor throws; where it refuses, the request ends. */
export async function askForRefund(parts: RefundParts, request: IssuedRefund): Promise<IssuedRefund> {
  const { db, queue, processor } = parts
  const { request_id: requestId, payment_id: paymentId, amount } = request
  const notice = await askProcessor(parts, request, () => processor.refund({ paymentId, amount, requestId }))
  if (notice) {
    const teller = { ...tellerOf(processor), source: 'operator' as const }
    const event = { name: 'refund', kind: 'repaid', refund: { ...notice, requestId } } as const
    const { detail } = await receiveEvent(db, queue, teller, event)
    // The money went back and could not be booked: the request waits with the event, and nobody gives it a second time.
    if (detail !== undefined) await tellWhy(db, requestId, detail)
  }
  return readRequest(db, requestId)
}

const columns = 'request_id, payment_id, amount, status, refund_id, detail'

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

async function tellWhy(db: Queryable, requestId: string, detail: string): Promise<void> {
  await db.execute(`UPDATE orders.refund SET detail = $2 WHERE request_id = $1 AND status = 'asked'`, [
    requestId,
    detail,
  ])
}

async function readRequest(db: Queryable, requestId: string): Promise<IssuedRefund> {
  const [request] = await db.query<IssuedRefund>(sql`SELECT ${columns} FROM orders.refund WHERE request_id = $1`, [
    requestId,
  ])
  if (!request) throw new Error('a refund that was just asked for is gone')
  return request
}

async function writeRequest(tx: Tx, provider: string, asked: RefundAsked): Promise<IssuedRefund> {
  const { of, amount, reason, actor, reference = randomUUID() } = asked
  const payment = await holdPayment(tx, provider, of)
  const [earlier] = await tx.query<IssuedRefund>(sql`SELECT ${columns} FROM orders.refund WHERE reference = $1`, [
    reference,
  ])
  if (earlier) {
    if (earlier.payment_id === payment.id && earlier.amount === (amount ?? earlier.amount)) return earlier
    throw new AppError('CONFLICT', `The reference ${reference} was used before by another refund.`)
  }
  const given = amount ?? payment.left
  if (given < 1 || given > payment.left) {
    throw new AppError('CONFLICT', `Of this payment ${payment.left} paise are left to give back.`)
  }
  const [request] = await tx.query<IssuedRefund>(
    sql`INSERT INTO orders.refund (provider, payment_id, reference, amount, reason, actor) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING ${columns}`,
    [provider, payment.id, reference, given, reason, actor],
  )
  if (!request) throw new Error('the insert of a refund returned no row')
  const detail = { amount: given, reference, reason }
  await audit(tx, { actor, action: 'refund payment', subject: payment.id, detail, accountId: payment.accountId })
  return request
}

/** Holds the account, as settling does, so that what is left is what no other refund takes. */
async function holdPayment(
  tx: Tx,
  provider: string,
  of: string,
): Promise<{ readonly id: string; readonly accountId: string; readonly left: number }> {
  const found = await tx.query<{ id: string; accountId: string; amount: number }>(
    `SELECT payment_id AS id, payment.amount, coalesce(purchase.account_id, checkout.account_id) AS "accountId"
     FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
     WHERE provider = $1 AND $2 IN (payment_id, order_id::text, checkout_id::text)`,
    [provider, of],
  )
  const [payment, another] = found
  if (!payment) throw new AppError('NOT_FOUND', `There is no payment of ${of}.`)
  if (another) throw new AppError('CONFLICT', `There are ${found.length} payments of ${of}; name one of them.`)
  await tx.query('SELECT FROM access.account WHERE account_id = $1 FOR NO KEY UPDATE', [payment.accountId])
  const [taken] = await tx.query<{ paise: number }>(
    `SELECT (SELECT coalesce(sum(amount), 0) FROM orders.repayment WHERE provider = $1 AND payment_id = $2)
          + (SELECT coalesce(sum(amount), 0) FROM orders.refund
             WHERE provider = $1 AND payment_id = $2 AND status = 'asked') AS paise`,
    [provider, payment.id],
  )
  return { ...payment, left: payment.amount - (taken?.paise ?? 0) }
}

/**
 * Settles a dispute of a payment as the processor reports it: opened, won, lost, or closed without a loss. A loss,
 * also a partial one, is booked like a refund, and the buyer owes what was used. Depending on a setting, the account
 * is suspended while the dispute is open, or from its loss on; a win releases it. Repeated or late reports change
 * nothing.
 */
import type { Tx } from '../../db/db.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { AppError } from '../../errors.ts'
import { holdForDispute, releaseFromDispute } from './dispute-hold.ts'
import { closeDisputed } from './parked-events.ts'
import type { EventOutcome } from './payment-events.ts'
import type { DisputeHold, DisputeNotice, DisputeState } from './processor.ts'
import { settleRepayment } from './settle-repayment.ts'

interface Disputed {
  readonly accountId: string
  /** Id of the order or purchase. */
  readonly orderId: string
}

/** @throws AppError CONFLICT if it was decided otherwise before, or another sum was taken; nothing was written. */
export async function settleDispute(
  tx: Tx,
  provider: string,
  hold: DisputeHold,
  notice: DisputeNotice,
): Promise<{ readonly outcome: EventOutcome; readonly orderId?: string }> {
  const { disputeId, paymentId, state, deducted, currency } = notice
  const payment = await holdPayment(tx, provider, paymentId)
  if (!payment) return { outcome: 'unknown_order' }
  const { accountId, orderId } = payment
  const before = await keepDispute(tx, provider, notice)
  if (before === 'lost' && state === 'lost') await refuseOtherSum(tx, provider, notice)
  if (before === state || (state === 'open' && before !== undefined)) return { outcome: 'known', orderId }
  if (before !== undefined && before !== 'open') {
    throw new AppError(
      'CONFLICT',
      `The dispute ${disputeId} was reported as ${before} before, and is reported as ${state} now.`,
    )
  }
  const dispute = { provider, disputeId, accountId }
  if (state === 'open') {
    if (hold === 'opened') await holdForDispute(tx, dispute)
    return { outcome: 'disputed', orderId }
  }
  await closeDisputed(tx, provider, disputeId, state)
  if (state !== 'lost') {
    await releaseFromDispute(tx, dispute)
    return { outcome: 'dispute_ended', orderId }
  }
  const loss = { refundId: disputeId, paymentId, amount: deducted, currency, cause: 'chargeback' as const }
  await settleRepayment(tx, provider, loss)
  if (hold !== 'off') await holdForDispute(tx, dispute)
  return { outcome: 'charged_back', orderId }
}

async function refuseOtherSum(tx: Tx, provider: string, { disputeId, deducted }: DisputeNotice): Promise<void> {
  const [booked] = await tx.query<{ amount: number }>(
    'SELECT amount FROM orders.repayment WHERE provider = $1 AND refund_id = $2',
    [provider, disputeId],
  )
  if (booked === undefined || booked.amount === deducted) return
  throw new AppError(
    'CONFLICT',
    `The dispute ${disputeId} took ${shownRupees(booked.amount)} before, and is reported to have taken ${shownRupees(deducted)} now.`,
  )
}

/** @returns its state before; undefined for a new dispute. */
async function keepDispute(tx: Tx, provider: string, notice: DisputeNotice): Promise<DisputeState | undefined> {
  const { disputeId, paymentId, state, amount, currency, reason, respondBy } = notice
  const [earlier] = await tx.query<{ state: DisputeState }>(
    'SELECT state FROM orders.payment_dispute WHERE provider = $1 AND dispute_id = $2 FOR NO KEY UPDATE',
    [provider, disputeId],
  )
  if (earlier) {
    await tx.execute(
      `UPDATE orders.payment_dispute SET state = $3, decided_at = now()
       WHERE provider = $1 AND dispute_id = $2 AND state = 'open' AND $3 <> 'open'`,
      [provider, disputeId, state],
    )
    return earlier.state
  }
  await tx.execute(
    `INSERT INTO orders.payment_dispute (provider, dispute_id, payment_id, state, amount, currency, reason, respond_by, decided_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $4 <> 'open' THEN now() END)`,
    [provider, disputeId, paymentId, state, amount, currency, reason ?? null, respondBy ?? null],
  )
  return undefined
}

/** Locks the account, as settling does, so that reports on one payment are handled in sequence. */
async function holdPayment(tx: Tx, provider: string, paymentId: string): Promise<Disputed | undefined> {
  const [payment] = await tx.query<Disputed>(
    `SELECT coalesce(purchase.account_id, checkout.account_id) AS "accountId", coalesce(order_id, checkout_id) AS "orderId"
     FROM orders.payment LEFT JOIN orders.purchase USING (order_id) LEFT JOIN orders.checkout USING (checkout_id)
     WHERE provider = $1 AND payment_id = $2`,
    [provider, paymentId],
  )
  if (!payment) return undefined
  await tx.query('SELECT FROM access.account WHERE account_id = $1 FOR NO KEY UPDATE', [payment.accountId])
  return payment
}

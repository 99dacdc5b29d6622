/**
 * A refund that the processor reports as failed: the money stayed. Its request ends, so that the money can be refunded
 * again, and the report waits for an operator; so does one that contradicts a booked refund.
 */
import type { Tx } from '../../db/db.ts'
import { shownMoney } from '../../domain/shown-rupees.ts'
import { isUuid } from '../../domain/uuid.ts'
import { recordParked } from './parked-events.ts'
import { type NewEvent, recordEvent } from './payment-events.ts'
import type { RefundNotice } from './processor.ts'

export type FailedRefund = { readonly outcome: 'parked'; readonly detail: string } | { readonly outcome: 'known' }

/** Idempotent. @param facts of the report, for the log. */
export async function settleFailedRefund(
  tx: Tx,
  facts: Omit<NewEvent, 'outcome'>,
  refund: RefundNotice,
): Promise<FailedRefund> {
  const what = `The refund of ${shownMoney(refund)} failed at the processor`
  const ended = await endRequest(tx, facts.provider, refund, `${what}.`)
  const detail = ended
    ? `${what}. Refund it again, or in another way.`
    : `${what}, and is booked as made. Refund it in another way.`
  if (!ended && !(await isBooked(tx, facts.provider, refund))) {
    if (facts.source === 'webhook') await recordEvent(tx, { ...facts, outcome: 'known' })
    return { outcome: 'known' }
  }
  await recordParked(tx, { ...facts, outcome: 'parked', detail })
  return { outcome: 'parked', detail }
}

async function endRequest(
  tx: Tx,
  provider: string,
  { requestId, paymentId }: RefundNotice,
  detail: string,
): Promise<boolean> {
  if (requestId === undefined || !isUuid(requestId)) return false
  const ended = await tx.execute(
    `UPDATE orders.refund SET status = 'refused', detail = $4, answered_at = now()
     WHERE request_id = $1 AND provider = $2 AND payment_id = $3 AND status = 'asked'`,
    [requestId, provider, paymentId, detail],
  )
  return ended > 0
}

async function isBooked(tx: Tx, provider: string, { refundId }: RefundNotice): Promise<boolean> {
  const booked = await tx.query('SELECT FROM orders.repayment WHERE provider = $1 AND refund_id = $2', [
    provider,
    refundId,
  ])
  return booked.length > 0
}

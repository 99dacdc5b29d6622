/**
 * A payment for credits goes in: the credits come into a lot of their own end, the money, its tax and the processor's fee
 * are booked beside them, and the invoice is issued, all in the caller's transaction. Told again, it changes nothing; a
 * second payment of one purchase brings its credits once more, and is shown to operators.
 */
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { sellCredits } from '../ledger-money.ts'
import type { PaymentNotice, PaymentOrder } from './processor.ts'
import { splitTax } from './tax.ts'

export interface SettledCheckout {
  readonly outcome: 'paid' | 'known' | 'credited'
  readonly orderId: string
}

interface Waiting {
  readonly id: string
  readonly accountId: string
  readonly credits: number
  readonly validDays: number | null
  readonly payment: PaymentOrder
  readonly placeOfSupply: string | null
  readonly gstin: string | null
}

/** @returns undefined where the payment is for no purchase. @throws AppError CONFLICT for another sum. */
export async function settleCheckout(
  tx: Tx,
  provider: string,
  notice: PaymentNotice,
): Promise<SettledCheckout | undefined> {
  const found = await hold(tx, provider, notice.paymentOrderId)
  if (!found) return undefined
  const { id, accountId, credits, validDays, payment, placeOfSupply, gstin } = found
  if (notice.amount !== payment.amount || notice.currency !== payment.currency) {
    throw new AppError('CONFLICT', 'The sum paid is not the one that this purchase asked for.')
  }
  const added = await tx.execute(
    `INSERT INTO orders.payment (provider, payment_id, checkout_id, amount, currency)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [provider, notice.paymentId, id, notice.amount, notice.currency],
  )
  if (added === 0) return { outcome: 'known', orderId: id }
  const reference = `payment:${provider}:${notice.paymentId}`
  const parts = splitTax(notice.amount)
  const endsAt = validDays === null ? null : dayAfter(validDays)
  const cause = { actor: `account:${accountId}`, memo: 'credits bought online' }
  await sellCredits(tx, accountId, { credits, reference, endsAt, ...parts, fee: notice.fee, ...cause })
  const moved = await tx.execute(
    `UPDATE orders.checkout SET status = 'paid', paid_at = now() WHERE checkout_id = $1 AND status IN ('pending', 'expired')`,
    [id],
  )
  const description = `${credits} credits for records of the Indian registers`
  await issueInvoice(tx, { accountId, reference, description, ...parts, placeOfSupply, gstin })
  return { outcome: moved === 0 ? 'credited' : 'paid', orderId: id }
}

async function hold(tx: Tx, provider: string, paymentOrderId: string): Promise<Waiting | undefined> {
  const byPayment = 'checkout_id = orders.checkout_of_payment($1, $2)'
  await tx.query(
    `SELECT FROM access.account WHERE account_id = (SELECT account_id FROM orders.checkout WHERE ${byPayment}) FOR KEY SHARE`,
    [provider, paymentOrderId],
  )
  const [found] = await tx.query<Waiting>(
    `SELECT checkout_id AS id, account_id AS "accountId", credits, valid_days AS "validDays", payment,
            place_of_supply AS "placeOfSupply", gstin
     FROM orders.checkout WHERE ${byPayment} FOR UPDATE`,
    [provider, paymentOrderId],
  )
  return found
}

/** Midnight in UTC after so many days: credits bought on one day lie in one lot. */
function dayAfter(days: number): Date {
  const day = 86_400_000
  return new Date((Math.floor(Date.now() / day) + days + 1) * day)
}

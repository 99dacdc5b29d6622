/** Records a payment once; a repeated notice changes nothing. */
import type { Tx } from '../../db/db.ts'
import { shownMoney } from '../../domain/shown-rupees.ts'
import { AppError } from '../../errors.ts'
import type { PaymentNotice, PaymentOrder } from './processor.ts'

/** What was paid for: an order's items, or a purchase of credits or time. */
export type PaidFor = { readonly order: string } | { readonly purchase: string }

/** @returns whether it was recorded now. @throws AppError CONFLICT if the sum is not the one that was requested. */
export async function takePayment(
  tx: Tx,
  provider: string,
  notice: PaymentNotice,
  paidFor: PaidFor,
  requested: PaymentOrder,
): Promise<boolean> {
  const [what, id] = 'order' in paidFor ? ['order', paidFor.order] : ['purchase', paidFor.purchase]
  if (notice.amount !== requested.amount || notice.currency !== requested.currency) {
    throw new AppError('CONFLICT', `This ${what} is for ${shownMoney(requested)}, but ${shownMoney(notice)} was paid.`)
  }
  const added = await tx.execute(
    `INSERT INTO orders.payment (provider, payment_id, order_id, checkout_id, amount, currency)
     SELECT $1, $2, CASE $3 WHEN 'order' THEN $4::uuid END, CASE $3 WHEN 'purchase' THEN $4::uuid END, $5, $6
     ON CONFLICT DO NOTHING`,
    [provider, notice.paymentId, what, id, notice.amount, notice.currency],
  )
  return added > 0
}

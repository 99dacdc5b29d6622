/**
 * Notifies the buyer of a refund or chargeback, in the transaction that books it: the amount, the payment, the credit
 * note, and what is owed now.
 */
import type { Tx } from '../../db/db.ts'
import { announce } from '../../notify/announce.ts'
import { orderInMail } from '../../notify/mails/order-in-mail.ts'
import { owedBy } from '../receivables.ts'
import type { RefundNotice } from './processor.ts'

export interface Repayment extends Pick<RefundNotice, 'paymentId' | 'refundId' | 'amount' | 'cause'> {
  readonly accountId: string
  /** Id of the order or purchase. */
  readonly orderId: string
  readonly isOrder: boolean
  /** undefined if nothing was invoiced, or a bank took more than was paid. */
  readonly creditNote: string | undefined
}

export async function notifyRefund(tx: Tx, repayment: Repayment): Promise<void> {
  const { accountId, orderId, isOrder, paymentId, refundId, amount, cause, creditNote = null } = repayment
  const what = { order_id: isOrder ? orderId : null, purchase_id: isOrder ? null : orderId }
  const owed = await owedBy(tx, accountId)
  const payload = { payment_id: paymentId, ...what, amount, cause, credit_note: creditNote, owed }
  const order = isOrder ? await orderInMail(tx, orderId) : {}
  await announce(tx, accountId, 'payment.refunded', payload, { about: refundId, data: { ...payload, ...order } })
}

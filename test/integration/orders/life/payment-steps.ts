/** What comes about at the processor, and notices of it in any order and number: told, told again, or asked for. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { receiveEvent } from '../../../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../../../src/orders/payments/reconcile.ts'
import { type Model, type Payment, takePayment, takeRefund } from './model.ts'
import { act, eventOrigin, noticeOf, pick, queue, type Real, refundNoticeOf, step } from './real.ts'

const dies = fc.option(fc.nat({ max: 14 }), { freq: 3 })

/** The lot that the credits of an online payment came into. */
async function lotOf({ database, accountId }: Real, { paymentId }: Payment): Promise<number> {
  const [lot] = await database.db.query<{ id: number }>(
    `SELECT lot_id AS id FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
     WHERE owner_id = $1 AND type = 'purchased' AND sale = $2`,
    [accountId, `payment:model:${paymentId}`],
  )
  return lot?.id ?? 0
}

export const pay = fc.nat().map((at) =>
  step('pay', async (model) => {
    const payment = pick(model.payments, at)
    if (payment) payment.isPaid = true
  }),
)

export const payBack = fc
  .record({ at: fc.nat(), part: fc.constantFrom(2, 3, 1), isChargeback: fc.boolean() })
  .map(({ at, part, isChargeback }) =>
    step(`${isChargeback ? 'charge' : 'pay'} 1/${part} back`, async (model) => {
      const paid = model.payments.filter(({ isPaid }) => isPaid)
      const payment = pick(paid, at)
      if (!payment) return
      const left = payment.amount - payment.refunds.reduce((sum, { amount }) => sum + amount, 0)
      const amount = Math.floor(left / part)
      if (amount < 20) return
      payment.refunds.push({ id: `rfnd_${payment.id}_${model.moves}`, amount, isTaken: false, isChargeback })
    }),
  )

export const reportPayment = fc.record({ at: fc.nat(), dies }).map(({ at, dies }) =>
  step('tell of a payment', async (model, real) => {
    const paid = model.payments.filter(({ isPaid }) => isPaid)
    const payment = pick(paid, at)
    if (!payment) return
    const event = { name: 'paid', kind: 'paid', payment: noticeOf(payment) } as const
    const { outcome } = await act({ model, real, dies }, (db) => receiveEvent(db, queue, eventOrigin, event))
    expect(outcome).toBe(takePayment(model, payment, await lotOf(real, payment)))
  }),
)

export const reportRefund = fc.record({ at: fc.nat(), which: fc.nat(), dies }).map(({ at, which, dies }) =>
  step('tell of a refund', async (model, real) => {
    const payment = pick(
      model.payments.filter(({ refunds }) => refunds.length > 0),
      at,
    )
    const refund = payment && pick(payment.refunds, which)
    if (!refund) return
    const event = { name: 'repaid', kind: 'repaid', refund: refundNoticeOf(payment, refund) } as const
    await act({ model, real, dies }, (db) => receiveEvent(db, queue, eventOrigin, event))
    takeRefund(model, payment, refund)
  }),
)

/** Of orders that wait or stand, and of purchases: what ended otherwise is asked for no more. */
const isAskedFor = (model: Model) =>
  model.payments.filter(({ order }) => order === undefined || order.state === 'pending' || order.state === 'completed')

export const reconcile = fc.nat().map((at) =>
  step('reconcile', async (model, real) => {
    const payment = pick(isAskedFor(model), at)
    if (!payment || (payment.order && !payment.isPaid)) return
    const { database, processor } = real
    await reconcilePayments({ db: database.db, queue, processor }, payment.id)
    if (payment.isPaid) takePayment(model, payment, await lotOf(real, payment))
    for (const refund of payment.refunds) if (!refund.isChargeback) takeRefund(model, payment, refund)
  }),
)

/**
 * The process dies at every gap of the paths that move money or time: payments, refunds that are issued, renewals,
 * reconciling. Each time the ledger holds, and whoever goes on, a repeat or the job, brings the same about, once.
 */

import { expect, test } from 'vitest'
import { plans } from '../../config/sales.ts'
import { sampleSeller } from '../../config/seller.ts'
import type { Db } from '../../src/db/db.ts'
import { buyTermOnline } from '../../src/orders/buy-term.ts'
import { issueRefund } from '../../src/orders/payments/issue-refund.ts'
import type { PaymentNotice, PaymentProcessor, RefundNotice } from '../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../src/orders/payments/reconcile.ts'
import { buyTermWithCredits } from '../../src/orders/subscriptions/buy-term.ts'
import { keepSubscriptions } from '../../src/orders/subscriptions/keep-subscriptions.ts'
import { productOf } from '../../src/orders/subscriptions/products.ts'
import { createAccount } from '../integration/orders/world.ts'
import { recordJobs } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { letDaysPass } from '../support/payment-world.ts'
import { gapsOf } from './support/gaps.ts'
import type { Mortal } from './support/mortal.ts'

const database = useTestDatabase()
const queue = recordJobs()
const { atEveryGap } = gapsOf(database)
const [{ id: planId, amount }] = plans

/** A processor that keeps what it was told: payments of its orders, and one refund per request. */
function bank() {
  const payments: PaymentNotice[] = []
  const refunds: RefundNotice[] = []
  let orders = 0
  const processor: PaymentProcessor = {
    provider: 'gap',
    creditPaise: 1180,
    seller: sampleSeller,
    begin: async ({ orderId, amount: asked }) => ({
      ...{ provider: 'gap', id: `order_${orderId}_${++orders}`, amount: asked, currency: 'INR', key_id: 'key' },
    }),
    readEvent: () => ({ name: 'other', kind: 'other' }),
    readAgain: () => undefined,
    listPaymentsFor: async (id) => payments.filter(({ paymentOrderId }) => paymentOrderId === id),
    refundsOf: async (id) =>
      refunds.filter(({ paymentId }) => paymentId === id).map((refund) => ({ ...refund, state: 'made' as const })),
    async refund({ paymentId, amount: asked, requestId }) {
      const known = refunds.find((each) => each.requestId === requestId)
      if (known) return known
      const made = { refundId: `rfnd_${requestId}`, paymentId, amount: asked, currency: 'INR', requestId }
      refunds.push({ ...made, cause: 'refund' })
      return refunds.at(-1)
    },
  }
  /** The same, for a process that may die before a call goes out. */
  const askedBy = ({ call }: Mortal): PaymentProcessor => ({
    ...processor,
    listPaymentsFor: (id) => call(() => processor.listPaymentsFor(id)),
    refundsOf: (id) => call(() => processor.refundsOf(id)),
    refund: (asked) => call(() => processor.refund(asked)),
  })
  return { payments, refunds, processor, askedBy }
}

const facts = async (accountId: string) => {
  const [row] = await database.db.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM access.subscription_term JOIN access.subscription USING (subscription_id) WHERE account_id = $1) AS terms,
            (SELECT count(*) FROM access.entitlement WHERE account_id = $1 AND expires_at > now()) AS feeds,
            (SELECT count(*) FROM access.account WHERE account_id = $1 AND premium_until > now()) AS premium,
            (SELECT count(*) FROM orders.invoice WHERE account_id = $1 AND series = 'PI') AS invoices,
            (SELECT count(*) FROM orders.invoice WHERE account_id = $1 AND series = 'PC') AS credit_notes,
            (SELECT coalesce(sum(total - used), 0) FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
             WHERE owner_id = $1) AS credits`,
    [accountId],
  )
  return row
}
const open = { terms: 1, feeds: 1, premium: 1, invoices: 1, credit_notes: 0, credits: 100 }

/** A plan that waits for its payment, which has come to the processor. */
async function waiting() {
  const accountId = await createAccount(database.db)
  const shop = bank()
  const checkout = await buyTermOnline(
    database.db,
    shop.processor,
    accountId,
    productOf('plan', planId),
    async (_tx, made) => made,
  )
  const paymentId = `pay_${checkout.checkoutId}`
  const payment = {
    paymentId,
    paymentOrderId: checkout.payment?.id ?? '',
    amount,
    currency: 'INR',
    fee: 100,
    feeTax: 15,
  }
  shop.payments.push(payment)
  return { accountId, checkoutId: checkout.checkoutId, payment, ...shop }
}
type Shop = Awaited<ReturnType<typeof waiting>>
const tell = (db: Db, { payment }: Shop) =>
  receiveEvent(
    db,
    queue,
    { provider: 'gap', seller: sampleSeller, source: 'webhook' },
    { name: 'paid', kind: 'paid', payment },
  )
const paid = async () => {
  const shop = await waiting()
  await tell(database.db, shop)
  return shop
}

test('the notice of a payment for a plan', async () => {
  const end = async ({ accountId }: Shop) => expect(await facts(accountId)).toEqual(open)
  expect(await atEveryGap(waiting, (process, shop) => tell(process.db, shop), end)).toBeGreaterThan(20)
})

test('reconciling a payment for a plan whose notice never came', async () => {
  const end = async ({ accountId }: Shop) => expect(await facts(accountId)).toEqual(open)
  const reconcile = (process: Mortal, { checkoutId, askedBy }: Shop) =>
    reconcilePayments({ db: process.db, queue, processor: askedBy(process) }, checkoutId)
  expect(await atEveryGap(waiting, reconcile, end)).toBeGreaterThan(20)
})

test('a refund that an operator issues, gone on with by reconciling', async () => {
  const back = { ...open, feeds: 0, premium: 0, credit_notes: 1, credits: 0 }
  const asked = ({ payment }: Shop) => ({
    ...{ of: payment.paymentId, reference: payment.paymentId, reason: 'gap', actor: 'operator' as const },
  })
  const gaps = await atEveryGap(
    paid,
    (process, shop) => issueRefund({ db: process.db, queue, processor: shop.askedBy(process) }, asked(shop)),
    async ({ accountId, refunds }) => expect([refunds.length, await facts(accountId)]).toEqual([1, back]),
    // The operator asks again under the same reference, or the job goes on; here the one and then the other.
    async (shop) => {
      await reconcilePayments({ db: database.db, queue, processor: shop.processor }, shop.checkoutId)
      await issueRefund({ db: database.db, queue, processor: shop.processor }, asked(shop))
    },
  )
  expect(gaps).toBeGreaterThan(25)
})

test('a chargeback of a plan', async () => {
  const charge = (db: Db, { payment: { paymentId } }: Shop) =>
    receiveEvent(
      db,
      queue,
      { provider: 'gap', seller: sampleSeller, source: 'webhook' },
      {
        name: 'payment.dispute.lost',
        kind: 'repaid',
        refund: { refundId: `disp_${paymentId}`, paymentId, amount, currency: 'INR', cause: 'chargeback' },
      },
    )
  const end = async ({ accountId }: Shop) =>
    expect(await facts(accountId)).toEqual({ ...open, feeds: 0, premium: 0, credit_notes: 1, credits: 0 })
  expect(await atEveryGap(paid, (process, shop) => charge(process.db, shop), end)).toBeGreaterThan(15)
})

test('a renewal by the job', async () => {
  const due = async () => {
    const accountId = await createAccount(database.db, 600)
    await database.db.transaction((tx) =>
      buyTermWithCredits(tx, accountId, productOf('plan', planId), { autoRenew: true }),
    )
    await letDaysPass(database, accountId, 29.5)
    return { accountId }
  }
  const end = async ({ accountId }: { accountId: string }) =>
    expect(await facts(accountId)).toEqual({ ...open, terms: 2, invoices: 0, credits: 200 })
  expect(await atEveryGap(due, (process) => keepSubscriptions(process.db), end)).toBeGreaterThan(12)
})

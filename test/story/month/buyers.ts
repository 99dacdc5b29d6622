/** What buyers do in a month: each script is one buyer, by the API, and says what was paid, and went back by the seller and by a bank. */
import { expect } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { decideDispute } from '../../../src/orders/disputes.ts'
import { refundItems } from '../../../src/orders/ledger.ts'
import { issueRefund } from '../../../src/orders/payments/issue-refund.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { settleReceivable } from '../../../src/orders/receivables.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { gstinOf } from '../../integration/orders/world.ts'
import { type LoggedIn, recordJobs, secretKey } from '../../support/api.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import type { TestDatabase } from '../../support/database.ts'
import { letDaysPass, type PaymentWorld } from '../../support/payment-world.ts'

/** Records that can be reached, and one whose person objected. */
export const records = 6
export const objected = records + 1

export interface Buyer {
  readonly customer: LoggedIn
  readonly database: TestDatabase
  readonly world: PaymentWorld
}
/** Paise, tax included. */
export interface Money {
  readonly sold: number
  readonly back?: number
  readonly taken?: number
}

const queue = recordJobs()
const actor = 'operator' as const
export const pack = 118_000
const plan = 354_000
export const perRecord = 1_180

export const earn = ({ database }: Buyer) => closeLedgerDay(database.as('panji_worker'))

/** @returns the id of the payment. */
async function buy({ world, customer }: Buyer, url: string, body: object): Promise<string> {
  const bought = (await world.call('POST', url, customer, body)).json()
  const { payment } = bought.purchase ?? bought
  return (await world.box.pay(payment.id))?.id ?? ''
}
export const buyPack = (buyer: Buyer, packId = 'credits-100') =>
  buy(buyer, '/api/credits/purchase', { pack_id: packId })
const buyPlan = (buyer: Buyer) => buy(buyer, '/api/plans/premium-month/buy', { payment_option: 'online' })

/** @returns the id of the order, and of its payment where it is paid online. */
export async function order(
  buyer: Buyer,
  serials: readonly number[],
  paymentOption = 'credits',
): Promise<[string, string]> {
  const { world, customer, database } = buyer
  const items = serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
  const reply = await world.call('POST', '/api/orders/normal', customer, { orderName: 'month', paymentOption, items })
  expect(reply.statusCode).toBe(201)
  const { _id: orderId, payment } = reply.json()
  const paymentId = payment ? ((await world.box.pay(payment.id))?.id ?? '') : ''
  await buildLeads(database.db, { orderId, leadSource: 'Panji', refund: refundItems })
  await deliverBuiltOrder(database.db, queue, orderId)
  return [orderId, paymentId]
}
export const addCrm = ({ database, customer }: Buyer) =>
  addDestination(database.db, connectors, secretKey, {
    ...{ accountId: customer.accountId, connector: 'hubspot', name: 'mine' },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
export const answer = ({ database }: Buyer, orderId: string, state: string, days = 0, rows = records) =>
  database.db.execute(
    `UPDATE deliver.delivery SET state = $2, updated_at = now() - make_interval(days => $3)
     FROM orders.item WHERE item.item_id = delivery.item_id AND item.order_id = $1 AND position < $4`,
    [orderId, state, days, rows],
  )
export const give = (
  { database, world }: Buyer,
  of: string,
  asked: { amount?: number; items?: readonly number[] } = {},
) =>
  asOperator(() =>
    issueRefund(
      { db: database.as('panji_api'), queue, processor: razorpay(world.settings) },
      { of, ...asked, reason: 'asked for by the buyer', actor: overHttp },
    ),
  )
const creditsBack = ({ database }: Buyer, orderId: string, items?: readonly number[]) =>
  database.db.transaction((tx) => refundOrder(tx, { orderId, items, reason: 'bad rows', actor }))

export type Script = readonly [string, (buyer: Buyer) => Promise<Money>]

export const scripts: readonly Script[] = [
  [
    'uses a part of a pack',
    async (buyer) => {
      await buyPack(buyer)
      await order(buyer, [1, 2, 3])
      return { sold: pack }
    },
  ],
  [
    'gets half of the money back once some was earned',
    async (buyer) => {
      const paymentId = await buyPack(buyer)
      await order(buyer, [1, 2, 3])
      await earn(buyer)
      await give(buyer, paymentId, { amount: pack / 2 })
      return { sold: pack, back: pack / 2 }
    },
  ],
  [
    'gets all of it back, credits and money, once some was earned',
    async (buyer) => {
      const paymentId = await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2, 3, 4, 5])
      await earn(buyer)
      await creditsBack(buyer, orderId)
      await give(buyer, paymentId)
      return { sold: pack, back: pack }
    },
  ],
  [
    'buys two packs and gets the first one back',
    async (buyer) => {
      const first = await buyPack(buyer)
      await buyPack(buyer)
      await order(buyer, [1, 2])
      await earn(buyer)
      await give(buyer, first)
      return { sold: 2 * pack, back: pack }
    },
  ],
  [
    'pays an order online',
    async (buyer) => {
      await order(buyer, [1, 2, 3, 4], 'online')
      return { sold: 4 * perRecord }
    },
  ],
  [
    'gives one row of an online order back',
    async (buyer) => {
      const [, paymentId] = await order(buyer, [1, 2, 3], 'online')
      await give(buyer, paymentId, { items: [1] })
      return { sold: 3 * perRecord, back: perRecord }
    },
  ],
  [
    'gets all of an online order back, beside a pack that stays',
    async (buyer) => {
      await buyPack(buyer)
      const [orderId] = await order(buyer, [4, 5], 'online')
      await earn(buyer)
      await give(buyer, orderId)
      return { sold: pack + 2 * perRecord, back: 2 * perRecord }
    },
  ],
  [
    'disputes a payment, which the seller wins',
    async (buyer) => {
      const paymentId = await buyPack(buyer)
      await order(buyer, [1])
      await buyer.world.box.dispute(paymentId, 'created')
      await buyer.world.box.dispute(paymentId, 'won')
      return { sold: pack }
    },
  ],
  [
    'charges a pack back that was used',
    async (buyer) => {
      const paymentId = await buyPack(buyer)
      await order(buyer, [1, 2, 3, 4])
      await earn(buyer)
      await buyer.world.box.dispute(paymentId, 'created')
      await buyer.world.box.dispute(paymentId, 'lost')
      return { sold: pack, taken: pack }
    },
  ],
  [
    'charges a quarter back',
    async (buyer) => {
      const paymentId = await buyPack(buyer)
      await buyer.world.box.dispute(paymentId, 'lost', pack / 4)
      return { sold: pack, taken: pack / 4 }
    },
  ],
  [
    'charges all back after half was refunded, pays some of it and never the rest',
    async (buyer) => {
      const { database, customer } = buyer
      const paymentId = await buyPack(buyer)
      await give(buyer, paymentId, { amount: pack / 2 })
      await buyer.world.box.chargeBack(paymentId)
      for (const [kind, amount] of [
        ['collect', 20_000],
        ['write_off', 9_000],
      ] as const) {
        const asked = { kind, amount, reference: customer.accountId, reason: 'by bank', actor }
        await database.db.transaction((tx) => settleReceivable(tx, customer.accountId, asked))
      }
      return { sold: pack, back: pack / 2, taken: pack }
    },
  ],
  [
    'buys a plan',
    async (buyer) => {
      await buyPlan(buyer)
      await letDaysPass(buyer.database, buyer.customer.accountId, 10)
      return { sold: plan }
    },
  ],
  [
    'gets half of a plan back',
    async (buyer) => {
      const paymentId = await buyPlan(buyer)
      await give(buyer, paymentId, { amount: plan / 2 })
      return { sold: plan, back: plan / 2 }
    },
  ],
  [
    'exports rows that were held, and its CRM refuses them',
    async (buyer) => {
      const { world, customer } = buyer
      await addCrm(buyer)
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2, 3])
      expect((await world.call('GET', `/api/orders/${orderId}/export?format=csv`, customer)).statusCode).toBe(200)
      await answer(buyer, orderId, 'rejected', 31)
      return { sold: pack }
    },
  ],
  [
    'has rows refused that nobody read',
    async (buyer) => {
      await addCrm(buyer)
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2])
      await answer(buyer, orderId, 'rejected', 31)
      return { sold: pack }
    },
  ],
  [
    'has rows delivered, and others held to the end',
    async (buyer) => {
      await addCrm(buyer)
      await buyPack(buyer)
      await answer(buyer, (await order(buyer, [1, 2]))[0], 'acknowledged')
      await order(buyer, [3, 4])
      return { sold: pack }
    },
  ],
  [
    'reports a row, and it is accepted',
    async (buyer) => {
      const { world, customer, database } = buyer
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2])
      await earn(buyer)
      const reported = await world.call('POST', `/api/orders/${orderId}/items/0/dispute`, customer, {
        reason: 'bounces',
      })
      const { dispute_id: disputeId } = reported.json()
      await database.db.transaction((tx) => decideDispute(tx, { disputeId, accept: true, note: 'so it does', actor }))
      return { sold: pack }
    },
  ],
  [
    'lets credits lapse',
    async (buyer) => {
      await buyPack(buyer)
      await order(buyer, [1, 2, 3, 4])
      await earn(buyer)
      await letDaysPass(buyer.database, buyer.customer.accountId, 367)
      return { sold: pack }
    },
  ],
  [
    'gets a row back after the end of its credits',
    async (buyer) => {
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2])
      await letDaysPass(buyer.database, buyer.customer.accountId, 367)
      await earn(buyer)
      await creditsBack(buyer, orderId, [0])
      const { credit_balance: balance } = (await buyer.world.call('GET', '/api/users/me', buyer.customer)).json()
      expect(balance).toBe(1)
      return { sold: pack }
    },
  ],
  [
    'orders somebody who objected',
    async (buyer) => {
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, objected])
      const { items } = (await buyer.world.call('GET', `/api/orders/${orderId}`, buyer.customer)).json()
      expect(items.map(({ refund_reason: reason }: { refund_reason: string | null }) => reason)).toEqual([
        null,
        'no_contact',
      ])
      return { sold: pack }
    },
  ],
]

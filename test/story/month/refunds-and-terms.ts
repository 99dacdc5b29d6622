/** More buyers of the month: money that goes back while a CRM has the rows in part, orders paid too late, plans that credits pay for. */
import { expect } from 'vitest'
import { keepSubscriptions } from '../../../src/orders/subscriptions/keep-subscriptions.ts'
import { refundTermByOperator } from '../../../src/orders/subscriptions/take-back-term.ts'
import { gstinOf } from '../../integration/orders/world.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { letDaysPass } from '../../support/payment-world.ts'
import { addCrm, answer, type Buyer, buyPack, earn, give, order, pack, perRecord, type Script } from './buyers.ts'

const largePack = 531_000

async function expectCredits({ world, customer }: Buyer, credits: number): Promise<void> {
  const { credit_balance: balance } = (await world.call('GET', '/api/users/me', customer)).json()
  expect(balance).toBe(credits)
}

/** @returns the id of the subscription. */
async function buyPlan({ world, customer }: Buyer, autoRenew: boolean): Promise<string> {
  const asked = { payment_option: 'credits', auto_renew: autoRenew }
  expect((await world.call('POST', '/api/plans/premium-month/buy', customer, asked)).statusCode).toBe(201)
  const { data } = (await world.call('GET', '/api/subscriptions', customer)).json()
  return data[0].subscription_id
}

export const refundsAndTerms: readonly Script[] = [
  [
    'gets an online order back that was held for a CRM, beside a pack that stays',
    async (buyer) => {
      await addCrm(buyer)
      await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2, 3], 'online')
      await give(buyer, orderId)
      await expectCredits(buyer, 100)
      return { sold: pack + 3 * perRecord, back: 3 * perRecord }
    },
  ],
  [
    'charges a pack back of which a CRM has got two rows, and two are held',
    async (buyer) => {
      await addCrm(buyer)
      const paymentId = await buyPack(buyer)
      const [orderId] = await order(buyer, [1, 2, 3, 4])
      await answer(buyer, orderId, 'acknowledged', 0, 2)
      await earn(buyer)
      await buyer.world.box.dispute(paymentId, 'lost', pack / 2)
      await expectCredits(buyer, 46)
      await buyer.world.box.dispute(paymentId, 'won')
      return { sold: pack, taken: pack / 2 }
    },
  ],
  [
    'cancels an order, pays it nevertheless and gets a part of the credits paid out',
    async (buyer) => {
      const { world, customer } = buyer
      const items = [1, 2, 3, 4].map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(serial) }))
      const asked = { orderName: 'late', paymentOption: 'online', items }
      const { _id: orderId, payment } = (await world.call('POST', '/api/orders/normal', customer, asked)).json()
      expect((await world.call('POST', `/api/orders/${orderId}/cancel`, customer)).statusCode).toBe(200)
      const paymentId = (await world.box.pay(payment.id))?.id ?? ''
      await order(buyer, [5])
      await give(buyer, paymentId, { amount: 2 * perRecord })
      await expectCredits(buyer, 1)
      return { sold: 4 * perRecord, back: 2 * perRecord }
    },
  ],
  [
    'pays a plan with credits, uses a fifth of it and gives it back',
    async (buyer) => {
      const { database, customer } = buyer
      await buyPack(buyer, 'credits-500')
      const subscriptionId = await buyPlan(buyer, false)
      await letDaysPass(database, customer.accountId, 6)
      const back = await asOperator(() =>
        database
          .as('panji_api')
          .transaction((tx) => refundTermByOperator(tx, { subscriptionId, reason: 'asked for', actor: overHttp })),
      )
      expect(back).toMatchObject({ credits: 240, used: 60 })
      await expectCredits(buyer, 440)
      return { sold: largePack }
    },
  ],
  [
    'has a plan that renews itself with credits, until they are gone',
    async (buyer) => {
      const { database, customer } = buyer
      await buyPack(buyer, 'credits-500')
      await buyPack(buyer)
      await buyPlan(buyer, true)
      await letDaysPass(database, customer.accountId, 29.5)
      expect(await keepSubscriptions(database.as('panji_trade'))).toMatchObject({ renewed: 1 })
      // All that was bought is spent; each of the terms brought 100.
      await expectCredits(buyer, 200)
      return { sold: largePack + pack }
    },
  ],
]

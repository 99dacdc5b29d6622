/** The lot of a term: its credits and its money are those of this term alone, wherever they go. */
import { beforeAll, expect, test } from 'vitest'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { factsOf, recordEvent } from '../../../src/orders/payments/payment-events.ts'
import type { PaymentNotice } from '../../../src/orders/payments/processor.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { readEvidence } from '../../../src/orders/payments/read-evidence.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { settleCheckout } from '../../../src/orders/payments/settle-checkout.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { giveTerm } from '../../../src/orders/subscriptions/buy-term.ts'
import { refundTermByOperator } from '../../../src/orders/subscriptions/take-back-term.ts'
import { type LoggedIn, newCustomer, recordJobs, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { letDaysPass, usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api = useApi(database)
const world = usePaymentWorld(database)
const queue = recordJobs()
const provider = 'razorpay'
beforeAll(() => fillRegisters(database.db))

const post = async (url: string, customer: LoggedIn, body: object) => {
  const reply = await world.call('POST', url, customer, body)
  expect(reply.statusCode).toBe(201)
  return reply.json()
}
const begin = async (url: string, customer: LoggedIn) =>
  (await post(url, customer, { payment_option: 'online' })).purchase.payment
/** @returns the id of the payment. */
const paid = async (customer: LoggedIn) => (await world.box.pay((await begin(plan, customer)).id))?.id ?? ''
const plan = '/api/plans/premium-month/buy'
const offer = '/api/offers/recent-companies-30/buy'
const order = async (customer: LoggedIn): Promise<string> => (await post('/api/orders/normal', customer, orderBody))._id
const balance = ({ accountId }: LoggedIn) => creditBalance(database.db, accountId)
const lotsOf = ({ accountId }: LoggedIn) =>
  database.db.query<{ sale: string | null; total: number; paid: number; earned: number }>(
    'SELECT lot.* FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1 ORDER BY lot_id',
    [accountId],
  )
const rowsOf = (orderId: string) =>
  database.db.query(
    'SELECT withdrawn_at IS NOT NULL AS gone FROM orders.item WHERE order_id = $1 AND refunded_at IS NULL',
    [orderId],
  )
const returnRows = (orderId: string) =>
  database.db.transaction((tx) => refundOrder(tx, { orderId, reason: 'bad rows', actor: 'operator' }))

interface Asked {
  readonly id: string
  readonly amount: number
  readonly currency: string
}
type Payments = readonly [PaymentNotice, PaymentNotice]
/** In one transaction, so that terms of one length have the same dates. */
async function payAtOnce({ accountId }: LoggedIn, asked: readonly Asked[]): Promise<Payments> {
  const [first, second] = asked.map(({ id: paymentOrderId, amount, currency }, at) => ({
    ...{ paymentId: `pay_${at}_${accountId}`, paymentOrderId, amount, currency, fee: 0, feeTax: 0 },
  }))
  if (!first || !second) throw new Error('two payments were expected')
  await database.as('panji_api').transaction(async (tx) => {
    for (const payment of [first, second]) {
      const settled = await settleCheckout(tx, razorpay(world.settings), payment)
      const facts = factsOf({ name: 'paid', kind: 'paid', payment })
      await recordEvent(tx, { provider, source: 'webhook', ...facts, outcome: settled?.outcome ?? 'ignored' })
    }
  })
  return [first, second]
}
let refunds = 0
const giveBack = ({ paymentId, amount, currency }: PaymentNotice, part = 1) => {
  const refundId = `rfnd_${refunds++}_${paymentId}`
  const refund = { refundId, paymentId, amount: Math.floor(amount * part), currency, cause: 'refund' } as const
  const origin = { provider, seller: world.settings.seller, source: 'webhook' } as const
  return receiveEvent(database.as('panji_api'), queue, origin, { name: 'back', kind: 'repaid', refund })
}
/** Version 0.1.0 asks for the lot that all terms of one end share. */
async function asVersion010<T>(act: () => Promise<T>): Promise<T> {
  const signature = 'ledger.open_term_lot(uuid, timestamptz, timestamptz, text)'
  const [now] = await database.db.query<{ text: string }>(
    `SELECT pg_get_functiondef('${signature}'::regprocedure) AS text`,
  )
  if (!now) throw new Error('the function is gone')
  const [head] = now.text.split('$function$')
  await database.db.execute(`${head}$function$ SELECT ledger.open_lot(p_owner, p_ends_at, p_earns_from) $function$`)
  try {
    return await act()
  } finally {
    await database.db.execute(now.text)
  }
}

test('the evidence of a plan’s payment has the orders that its credits paid for', async () => {
  const customer = await newCustomer(api, database)
  const id = await paid(customer)
  const placed = await order(customer)
  expect(await readEvidence(database.db, id, 'operator')).toMatchObject({ orders: [{ order_id: placed }] })
})

test('credits of a plan that lived on after its end go with its money', async () => {
  const customer = await newCustomer(api, database)
  const id = await paid(customer)
  const placed = await order(customer)
  await letDaysPass(database, customer.accountId, 31)
  const { credits } = await returnRows(placed)
  expect(credits).toBeGreaterThan(0)
  expect(await balance(customer)).toBe(credits)
  await closeLedgerDay(database.as('panji_worker'))
  await world.refund(id)
  expect(await balance(customer)).toBe(0)
  expect(await world.violations()).toEqual([])
})

test('credits of a given plan that lived on count as unused, and go with the plan', async () => {
  const customer = await newCustomer(api, database)
  const given = { planId: 'premium-month', reference: `lots ${customer.accountId}`, actor: 'operator' } as const
  const subscriptionId = await database.db.transaction((tx) => giveTerm(tx, customer.accountId, given))
  const placed = await order(customer)
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(`UPDATE ledger.transfer SET created_at = created_at - interval '2 days' WHERE order_id = $1`, [
      placed,
    ])
  })
  const { credits } = await returnRows(placed)
  expect(await balance(customer)).toBe(100)
  expect(credits).toBeGreaterThan(0)
  const asked = { subscriptionId, reason: 'given by mistake', actor: 'operator' } as const
  await database.db.transaction((tx) => refundTermByOperator(tx, asked))
  expect(await balance(customer)).toBe(0)
  expect(await world.violations()).toEqual([])
})

test('a plan and an offer that are paid in the same moment keep their money and their goods apart', async () => {
  const customer = await newCustomer(api, database)
  const asked = [await begin(plan, customer), await begin(offer, customer)]
  const [, paidOffer] = await payAtOnce(customer, asked)
  const placed = await order(customer)
  const before = await balance(customer)
  await giveBack(paidOffer)
  expect(await balance(customer)).toBe(before)
  expect(await rowsOf(placed)).toEqual([{ gone: false }, { gone: false }, { gone: false }])
  expect(await world.violations()).toEqual([])
})

test('of a plan that was paid twice, what its credits bought stays until all of the money went back', async () => {
  const customer = await newCustomer(api, database)
  const asked = await begin(plan, customer)
  const [first, second] = await payAtOnce(customer, [asked, asked])
  const placed = await order(customer)
  await giveBack(first)
  expect(await balance(customer)).toBe(100)
  expect(await rowsOf(placed)).toEqual([{ gone: false }, { gone: false }, { gone: false }])
  await giveBack(second)
  expect(await balance(customer)).toBe(0)
  expect(await rowsOf(placed)).toEqual([{ gone: true }, { gone: true }, { gone: true }])
  expect(await world.violations()).toEqual([])
})

test('lots that terms of version 0.1.0 share are given back and earned to the last rupee', async () => {
  const customer = await newCustomer(api, database)
  const asked = [await begin(plan, customer), await begin(offer, customer)]
  const [paidPlan, paidOffer] = await asVersion010(async () => await payAtOnce(customer, asked))
  expect(await lotsOf(customer)).toMatchObject([{ sale: null, total: 100 }])
  const placed = await order(customer)
  await giveBack(paidPlan, 0.5)
  expect(await balance(customer)).toBe(50 - 3)
  await letDaysPass(database, customer.accountId, 31)
  const { credits } = await returnRows(placed)
  await closeLedgerDay(database.as('panji_worker'))
  expect(await balance(customer)).toBe(credits)
  const [lot] = await lotsOf(customer)
  expect(lot).toMatchObject({ earned: lot?.paid })
  await giveBack(paidOffer)
  await giveBack(paidPlan, 0.5)
  expect(await lotsOf(customer)).toMatchObject([{ paid: 0, earned: 0 }, { total: credits }])
  expect(await world.violations()).toEqual([])
})

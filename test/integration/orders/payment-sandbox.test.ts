/** Online payments against the processor in a box: whatever happens to its notices, what was paid is settled once. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sampleSeller } from '../../../config/seller.ts'
import { createPaymentSandbox } from '../../../sandboxes/razorpay/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { listEvents } from '../../../src/orders/payments/payment-events.ts'
import { type RazorpaySettings, razorpay } from '../../../src/orders/payments/razorpay.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { buildTestServer, type LoggedIn, newCustomer, recordJobs, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { noticeOf, signatureOf } from '../../support/payment-processor.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const box = createPaymentSandbox()
const queue = recordJobs()
let running: RunningSandboxes
let app: Awaited<ReturnType<typeof buildTestServer>>
let settings: RazorpaySettings
const oldSecret = 'the-secret-before-the-change'

beforeAll(async () => {
  await fillRegisters(database.db)
  running = await startSandboxes([box], { port: 0 })
  const given = z.record(z.string(), z.string()).parse(running.settings('razorpay'))
  settings = {
    keyId: given['key_id'] ?? '',
    keySecret: new Secret(given['key_secret'] ?? ''),
    webhookSecrets: [new Secret(given['webhook_secret'] ?? ''), new Secret(oldSecret)],
    creditPaise: 1180,
    seller: sampleSeller,
    baseUrl: given['base_url'] ?? '',
    payPages: `${given['base_url']}/pay`,
  }
  app = await serverWith(settings)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const reply = await fetch(`${running.controlUrl}/notices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.controlToken}` },
    body: JSON.stringify({ crm: 'razorpay', url: `${app.listeningOrigin}/webhooks/payments` }),
  })
  expect(reply.status).toBe(200)
})
beforeEach(() => box.reset())
afterAll(async () => {
  await app.close()
  await running.close()
})

const serverWith = (of: RazorpaySettings) =>
  buildTestServer(database, queue, [], {
    settings: { leadSource: 'Panji', onlineLabel: 'online', payments: razorpay(of) },
  })
const call = (method: 'GET' | 'POST', url: string, { token }: LoggedIn, payload?: object) =>
  app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload ? { payload } : {}) })
const Waiting = z.object({ _id: z.string(), payment: z.object({ id: z.string(), amount: z.number() }) })

async function waiting(customer: LoggedIn): Promise<{ id: string; paymentOrder: string; amount: number }> {
  const reply = await call('POST', '/api/orders/normal', customer, { ...orderBody, paymentOption: 'online' })
  expect(reply.statusCode).toBe(201)
  const { _id: id, payment } = Waiting.parse(reply.json())
  return { id, paymentOrder: payment.id, amount: payment.amount }
}
const stateOf = async (customer: LoggedIn, id: string) => {
  const { status, payment_status } = (await call('GET', `/api/orders/${id}`, customer)).json()
  return [status, payment_status]
}
const reconcile = (only?: string) =>
  reconcilePayments({ db: database.as('panji_trade'), queue, processor: razorpay(settings) }, only)
const eventsOf = async (search: string) =>
  (await listEvents(database.db, { search, page: 1, limit: 100 })).events.map(({ outcome }) => outcome).toReversed()
const violations = () => database.db.query('SELECT * FROM ledger.violations()')
const refund = async (paymentId: string, body: object = {}) => {
  const basic = Buffer.from(`${settings.keyId}:${settings.keySecret.reveal()}`).toString('base64')
  return fetch(`${settings.baseUrl}/v1/payments/${paymentId}/refund`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: JSON.stringify(body),
  })
}

test('a person pays on the page, the notice comes, and the order is completed', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder } = await waiting(customer)
  const page: string = (await call('GET', `/api/orders/${id}`, customer)).json().payment.page_url
  expect(page).toBe(`${settings.baseUrl}/pay/${paymentOrder}`)
  expect(await (await fetch(page)).text()).toContain('INR 35.40')
  const form = new URLSearchParams({ method: 'upi', result: 'success' })
  const foreign = await fetch(page, { method: 'POST', body: form, headers: { origin: 'https://elsewhere.example' } })
  expect([foreign.status, await stateOf(customer, id)]).toEqual([404, ['pending', 'pending']])
  expect(await (await fetch(page, { method: 'POST', body: form })).text()).toMatch(/Payment pay_\w+: captured/)
  expect(await stateOf(customer, id)).toEqual(['completed', 'paid'])
  expect(await eventsOf(paymentOrder)).toEqual(['asked', 'paid', 'known'])
  expect(await violations()).toEqual([])
})

test.each([
  ['webhook_lost', ['pending', 'pending'], 1],
  ['webhook_late', ['pending', 'pending'], 1],
  ['webhook_altered', ['pending', 'pending'], 1],
  ['webhook_twice', ['completed', 'paid'], 0],
  ['webhook_reordered', ['completed', 'paid'], 0],
] as const)('%s: the order is %s, and asking the processor settles what is owed once', async (kind, after, owed) => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder } = await waiting(customer)
  box.addFault({ kind })
  const payment = await box.pay(paymentOrder)
  expect(payment?.status).toBe('captured')
  expect(await stateOf(customer, id)).toEqual(after)
  expect(await reconcile(id)).toMatchObject({ settled: owed })
  expect(await reconcile(id)).toMatchObject({ settled: 0 })
  expect(await stateOf(customer, id)).toEqual(['completed', 'paid'])
  expect(await creditBalance(database.db, customer.accountId)).toBe(0)
  // What was late arrives after the next act, and finds everything done.
  await box.pay((await waiting(await newCustomer(api, database))).paymentOrder)
  expect(await creditBalance(database.db, customer.accountId)).toBe(0)
  expect(await violations()).toEqual([])
})

test('an order that nobody paid ends after its time, and money that comes later is kept as credits and shown', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder } = await waiting(customer)
  expect(await reconcile(id)).toEqual({ checked: 1, settled: 0, expired: 0, refused: 0 })
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(`UPDATE orders.purchase SET created_at = now() - interval '49 hours' WHERE order_id = $1`, [id])
  })
  expect(await reconcile()).toMatchObject({ settled: 0, expired: 1 })
  expect(await stateOf(customer, id)).toEqual(['expired', 'cancelled'])
  await box.pay(paymentOrder)
  expect(await eventsOf(paymentOrder)).toEqual(['asked', 'expired', 'credited', 'known'])
  expect(await creditBalance(database.db, customer.accountId)).toBe(3)
})

test('what is paid, cancelled or expired names its payment and no longer the page to pay on', async () => {
  const customer = await newCustomer(api, database)
  interface Paid {
    readonly status: string
    readonly payment: { readonly id: string; readonly amount: number; readonly page_url: string | null }
  }
  const shown = async (list: string, id: string) => {
    const one: Paid = (await call('GET', `${list}/${id}`, customer)).json()
    const listed: (Paid & { readonly _id?: string; readonly purchase_id?: string })[] = (
      await call('GET', list, customer)
    ).json().data
    const same = listed.find((each) => (each._id ?? each.purchase_id) === id)
    expect([same?.status, same?.payment]).toEqual([one.status, one.payment])
    return [one.status, one.payment.id, one.payment.amount, one.payment.page_url]
  }
  const pageOf = (paymentOrder: string) => `${settings.baseUrl}/pay/${paymentOrder}`
  const buyPack = async () => {
    const reply = await call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })
    expect(reply.statusCode, reply.body).toBe(201)
    const { purchase_id: id, payment } = reply.json()
    return { id, paymentOrder: payment.id, amount: payment.amount }
  }
  // Begun before one is paid: what an account owns costs nothing again.
  const unwanted = await waiting(customer)
  for (const [list, begin, paid] of [
    ['/api/orders', () => waiting(customer), 'completed'],
    ['/api/credits/purchases', buyPack, 'paid'],
  ] as const) {
    const [late, { id, paymentOrder, amount }] = [await begin(), await begin()]
    expect(await shown(list, id)).toEqual(['pending', paymentOrder, amount, pageOf(paymentOrder)])
    await box.pay(paymentOrder)
    expect(await shown(list, id)).toEqual([paid, paymentOrder, amount, null])
    await database.db.transaction(async (tx) => {
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      for (const [table, key] of [
        ['orders.purchase', 'order_id'],
        ['orders.checkout', 'checkout_id'],
      ])
        await tx.execute(`UPDATE ${table} SET created_at = now() - interval '49 hours' WHERE ${key} = $1`, [late.id])
    })
    expect(await reconcile()).toMatchObject({ expired: 1 })
    expect(await shown(list, late.id)).toEqual(['expired', late.paymentOrder, late.amount, null])
  }
  const cancelled = await call('POST', `/api/orders/${unwanted.id}/cancel`, customer)
  expect([cancelled.json().status, cancelled.json().payment.page_url]).toEqual(['cancelled', null])
  expect(await shown('/api/orders', unwanted.id)).toEqual(['cancelled', unwanted.paymentOrder, unwanted.amount, null])
})

test('partial refunds leave the leads until they add up to the whole; then the order is refunded, its leads are hidden, and both currencies agree', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder, amount } = await waiting(customer)
  const payment = await box.pay(paymentOrder)
  const paymentId = payment?.id ?? ''
  expect((await refund(paymentId, { amount: 1000 })).status).toBe(200)
  expect(await stateOf(customer, id)).toEqual(['completed', 'paid'])
  const shown = async () => (await call('GET', `/api/crm/orders/${id}/leads`, customer)).body
  await buildLeads(database.db, { orderId: id, leadSource: 'Panji', refund: refundItems })
  expect(await shown()).toContain('reach@example.in')
  box.addFault({ kind: 'webhook_lost' })
  expect((await refund(paymentId, { amount: amount - 1000 })).status).toBe(200)
  expect(await stateOf(customer, id)).toEqual(['completed', 'paid'])
  expect(await reconcile(id)).toMatchObject({ settled: 1 })
  expect(await stateOf(customer, id)).toEqual(['completed', 'refunded'])
  expect((await refund(paymentId)).status).toBe(400)
  expect(await shown()).not.toContain('reach@example.in')
  expect(await violations()).toEqual([])
})

test('a lost dispute takes the money of an order once, also if it is reported again', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder } = await waiting(customer)
  const payment = await box.pay(paymentOrder)
  box.addFault({ kind: 'webhook_twice' })
  await box.chargeBack(payment?.id ?? '')
  expect(await stateOf(customer, id)).toEqual(['completed', 'refunded'])
  expect(await eventsOf(payment?.id ?? '')).toEqual(['paid', 'known', 'charged_back', 'known'])
  expect(await violations()).toEqual([])
})

test('a credited second payment is given back with its credits', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder } = await waiting(customer)
  expect((await call('POST', `/api/orders/${id}/cancel`, customer)).statusCode).toBe(200)
  const payment = await box.pay(paymentOrder)
  expect(await creditBalance(database.db, customer.accountId)).toBe(3)
  await refund(payment?.id ?? '')
  expect(await creditBalance(database.db, customer.accountId)).toBe(0)
  expect(await stateOf(customer, id)).toEqual(['cancelled', 'cancelled'])
  expect(await violations()).toEqual([])
})

test('another sum is recorded and answered, forgeries are recorded to a bound, and either secret is taken', async () => {
  const customer = await newCustomer(api, database)
  const { id, paymentOrder: orderId, amount } = await waiting(customer)
  const notify = (body: string, signature: string) =>
    app.inject({
      method: 'POST',
      url: '/webhooks/payments',
      headers: { 'content-type': 'application/json', 'x-razorpay-signature': signature },
      payload: body,
    })
  const wrong = noticeOf({ orderId, amount: amount + 1 })
  expect((await notify(wrong, signatureOf(wrong, oldSecret))).json()).toEqual({ result: 'mismatch' })
  expect(await eventsOf(orderId)).toEqual(['asked', 'mismatch'])
  for (let n = 0; n < 70; n++) expect((await notify(wrong, '0'.repeat(64))).statusCode).toBe(401)
  const [forged] = await database.db.query(`SELECT count(*) AS n FROM orders.payment_event WHERE outcome = 'forged'`)
  expect(forged).toEqual({ n: 60 })
  const right = noticeOf({ orderId, amount })
  expect((await notify(right, signatureOf(right, oldSecret))).json()).toEqual({ result: 'paid' })
  expect(await stateOf(customer, id)).toEqual(['completed', 'paid'])
})

test.each([
  ['the key is wrong', 401, 'PAYMENT_KEY_REFUSED', 503],
  ['it takes no more calls', 429, 'PAYMENT_LIMITED', 503],
  ['it is down', 502, 'PAYMENT_UNAVAILABLE', 503],
  ['it does not take the payment', 400, 'PAYMENT_REFUSED', 422],
] as const)(
  'the processor says that %s: the buyer and the operator hear which, and there is no order',
  async (_case, status, code, answered) => {
    const customer = await newCustomer(api, database)
    const description = 'Order amount less than minimum amount allowed'
    box.addFault({ kind: 'status', status, body: { error: { code: 'X', description } }, match: '/v1/orders' })
    const reply = await call('POST', '/api/orders/normal', customer, { ...orderBody, paymentOption: 'online' })
    expect([reply.statusCode, reply.json().error_code]).toEqual([answered, code])
    expect(reply.body.includes(description)).toBe(status === 400)
    expect((await call('GET', '/api/orders', customer)).json().total).toBe(0)
  },
)

test('an amount below the minimum is refused by the box itself, in its own words', async () => {
  const processor = razorpay({ ...settings, creditPaise: 1 })
  await expect(processor.begin({ orderId: 'x', amount: 3 })).rejects.toMatchObject({
    code: 'PAYMENT_REFUSED',
    message: expect.stringContaining('less than minimum'),
  })
  const stranger = razorpay({ ...settings, keySecret: new Secret('another secret') })
  await expect(stranger.begin({ orderId: 'x', amount: 300 })).rejects.toMatchObject({ code: 'PAYMENT_KEY_REFUSED' })
})

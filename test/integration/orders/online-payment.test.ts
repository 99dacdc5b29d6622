/** Orders paid online: they wait, a signed notice completes them once, and nothing else does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { splitTax } from '../../../src/orders/tax.ts'
import {
  buildTestServer,
  type LoggedIn,
  newCustomer,
  operatorToken,
  recordJobs,
  type TestApi,
  useApi,
} from '../../support/api.ts'
import { addCredits, fillRegisters, known, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import {
  type FakeProcessor,
  noticeOf,
  type PaymentMade,
  signatureOf,
  startProcessor,
} from '../../support/payment-processor.ts'

const database = useTestDatabase()
const unpaid: TestApi = useApi(database)
let processor: FakeProcessor
let app: Awaited<ReturnType<typeof buildTestServer>>
const queue = recordJobs()

beforeAll(async () => {
  await fillRegisters(database.db)
  processor = await startProcessor()
  const settings = { leadSource: 'Panji', onlineLabel: 'razorpay', payments: razorpay(processor.settings) }
  app = await buildTestServer(database, queue, [], { settings })
})
afterAll(async () => {
  await app.close()
  await processor.close()
})

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, { token }: LoggedIn, payload?: object, headers = {}) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload ? { payload } : {}),
  })
const items = [...orderBody.items, { type: 'company', name: 'Mandovi', number: known.llpin }]
/** Four items; nobody can be reached under the last. */
const onlineOrder = { orderName: 'Paid online', paymentOption: 'online', items }
const Waiting = z.object({ _id: z.string(), payment: z.object({ id: z.string(), amount: z.number() }) })

async function waiting(customer: LoggedIn): Promise<{ id: string; paymentOrder: string; amount: number }> {
  const reply = await call('POST', '/api/orders/normal', customer, onlineOrder)
  expect(reply.statusCode).toBe(201)
  const { _id: id, payment } = Waiting.parse(reply.json())
  return { id, paymentOrder: payment.id, amount: payment.amount }
}

const notify = (body: string, signature: string | undefined = signatureOf(body)) =>
  app.inject({
    method: 'POST',
    url: '/webhooks/payments',
    headers: { 'content-type': 'application/json', ...(signature ? { 'x-razorpay-signature': signature } : {}) },
    payload: body,
  })
const tell = async (payment: PaymentMade) => (await notify(noticeOf(payment))).json<{ result: string }>().result
const stateOf = async (id: string) =>
  (
    await database.db.query(
      `SELECT status, payment_status,
              (SELECT count(*) FROM orders.item WHERE order_id = $1 AND refunded_at IS NOT NULL) AS refunded
       FROM orders.purchase WHERE order_id = $1`,
      [id],
    )
  )[0]
const builds = (id: string) =>
  queue.sent.filter(({ payload }) => JSON.stringify(payload) === JSON.stringify({ orderId: id }))

test('a quote has the price in rupees at which the order is then paid, with what nobody can be reached under', async () => {
  const customer = await newCustomer(unpaid, database)
  const asked = { items: items.map(({ type, number }) => ({ type, number })) }
  const { online_price: price, credits_held } = (await call('POST', '/api/orders/quote', customer, asked)).json()
  const { amount } = await waiting(customer)
  expect([credits_held, price]).toEqual([4, { amount, net: amount - price.tax, tax: price.tax, currency: 'INR' }])
  expect(price.tax).toBe(splitTax(amount).tax)
})

test.each(['online', 'razorpay'])(
  'an order paid by %s waits, and its answer holds what the checkout needs',
  async (option) => {
    const customer = await newCustomer(unpaid, database)
    const reply = await call('POST', '/api/orders/normal', customer, { ...onlineOrder, paymentOption: option })
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      {
        _id: expect.any(String),
        orderName: 'Paid online',
        paymentOption: 'online',
        total_amount: 4,
        status: 'pending',
        payment_status: 'pending',
        items_count: 4,
        created_at: expect.any(String),
        payment: {
          provider: 'razorpay',
          id: expect.stringMatching(/^order_/),
          amount: 2000,
          currency: 'INR',
          key_id: 'rzp_test_key',
          page_url: null,
        },
      },
    ])
    const { _id: id } = Waiting.parse(reply.json())
    const asked = processor.asked.at(-1)
    expect(asked?.body).toEqual({ amount: 2000, currency: 'INR', receipt: id })
    const basic = Buffer.from(asked?.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    expect(basic).toBe('rzp_test_key:key-secret-of-the-tests')
    expect(await creditBalance(database.db, customer.accountId)).toBe(0)
    expect(builds(id)).toEqual([])
    const leads = await call('GET', `/api/crm/orders/${id}/leads`, customer)
    expect(leads.body).not.toContain('reach@example.in')
  },
)

test('the signed notice completes it: leads are built, an item without contact brings its credit, the ledger balances', async () => {
  const customer = await newCustomer(unpaid, database)
  const { id, paymentOrder, amount } = await waiting(customer)
  expect(await tell({ orderId: paymentOrder, amount })).toBe('paid')
  expect(await stateOf(id)).toEqual({ status: 'completed', payment_status: 'paid', refunded: 1 })
  expect(await creditBalance(database.db, customer.accountId)).toBe(1)
  expect(builds(id)).toHaveLength(1)
  const summary = (await call('GET', `/api/orders/${id}`, customer)).json()
  expect(summary).toMatchObject({ status: 'completed', payment_status: 'paid', refunded_amount: 1 })
  expect(summary.paid_at).not.toBeNull()
  const [sum] = await database.db.query('SELECT sum(amount)::bigint AS total FROM ledger.entry')
  expect(sum).toEqual({ total: 0 })
})

test('the notice replayed, also twenty times at once and under the other event, changes nothing more', async () => {
  const customer = await newCustomer(unpaid, database)
  const { id, paymentOrder: orderId, amount } = await waiting(customer)
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => tell({ orderId, amount, event: n % 2 ? 'order.paid' : 'payment.captured' })),
  )
  expect(results.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'known'), 'paid'])
  expect(await tell({ orderId, amount })).toBe('known')
  expect(await creditBalance(database.db, customer.accountId)).toBe(1)
  expect(builds(id)).toHaveLength(1)
  const told = `SELECT type, about, data FROM deliver.mail WHERE account_id = $1`
  expect(await database.db.query(told, [customer.accountId])).toEqual([
    {
      type: 'order.paid',
      about: id,
      data: {
        ...{ order_id: id, credits: 4, paise: amount },
        ...{ order_name: 'Paid online', order_records: 4, order_day: indianDayOf(new Date()) },
      },
    },
  ])
})

test('a forged notice is refused and changes nothing', async () => {
  const customer = await newCustomer(unpaid, database)
  const { id, paymentOrder: orderId, amount } = await waiting(customer)
  const body = noticeOf({ orderId, amount })
  const good = signatureOf(body)
  const forgeries: [string, string | undefined][] = [
    [body, ''],
    [body, 'x'],
    [body, signatureOf(body, 'another secret of sixteen')],
    [body, '0'.repeat(64)],
    [`${body} `, good],
    [noticeOf({ orderId, amount, paymentId: 'pay_other' }), good],
    [body, `${good.slice(0, 63)}${good.endsWith('0') ? '1' : '0'}`],
  ]
  for (const [text, signature] of forgeries) {
    const reply = await notify(text, signature)
    expect([signature, reply.statusCode, reply.json().error_code]).toEqual([
      signature,
      401,
      'WEBHOOK_SIGNATURE_INVALID',
    ])
  }
  const unsigned = await app.inject({
    method: 'POST',
    url: '/webhooks/payments',
    headers: { 'content-type': 'application/json' },
    payload: body,
  })
  expect(unsigned.statusCode).toBe(401)
  expect(await stateOf(id)).toEqual({ status: 'pending', payment_status: 'pending', refunded: 0 })
})

test('another sum or currency waits for somebody, and is answered; a failed attempt and notices of other kinds are ignored', async () => {
  const customer = await newCustomer(unpaid, database)
  const { id, paymentOrder: orderId, amount } = await waiting(customer)
  for (const [wrong, came] of [
    [{ amount: amount - 1 }, '₹19.99'],
    [{ amount: amount + 1 }, '₹20.01'],
    [{ amount, currency: 'USD' }, '20.00 USD'],
  ] as const) {
    const reply = await notify(noticeOf({ orderId, ...wrong }))
    expect([reply.statusCode, reply.json()]).toEqual([200, { result: 'mismatch' }])
    const [told] = await database.db.query(
      'SELECT detail FROM orders.payment_event WHERE payment_order_id = $1 ORDER BY event_id DESC LIMIT 1',
      [orderId],
    )
    expect(told).toEqual({ detail: `This order is for ₹20.00, but ${came} was paid.` })
  }
  expect(await tell({ orderId, amount, event: 'payment.failed', status: 'failed' })).toBe('ignored')
  expect(await tell({ orderId, amount, event: 'payment.authorized', status: 'authorized' })).toBe('ignored')
  expect(await tell({ orderId: 'order_of_another_shop', amount })).toBe('unknown_order')
  for (const text of ['{}', 'null', '[1]', 'no json']) {
    expect([text, (await notify(text)).statusCode]).toEqual([text, 400])
  }
  expect(await stateOf(id)).toEqual({ status: 'pending', payment_status: 'pending', refunded: 0 })
  expect(await tell({ orderId, amount })).toBe('paid')
})

test('a signed notice of money in another shape is answered, and waits once with the ids that it names; of nothing that moved money is a shape asked', async () => {
  const entity = { id: 'pay_unread', order_id: 7, amount: '100' }
  const told = (event: string, payload: object) => JSON.stringify({ event, payload })
  const unread = [
    told('payment.captured', { payment: { entity } }),
    told('refund.processed', { payment: { entity }, refund: { entity: { id: 'rfnd_unread' } } }),
    told('payment.dispute.lost', { dispute: { entity: { id: 'disp_unread' } } }),
    told('order.paid', {}),
  ]
  for (const text of [...unread, ...unread]) {
    const reply = await notify(text)
    expect([text, reply.statusCode, reply.json()]).toEqual([text, 200, { result: 'parked' }])
  }
  const waits = await database.db.query<{ detail: string }>(
    `SELECT detail FROM orders.payment_event WHERE outcome = 'parked' AND closed_at IS NULL ORDER BY event_id`,
  )
  expect(waits.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/order_id.*amount.*It names pay_unread\.$/),
    expect.stringContaining('It names pay_unread, rfnd_unread.'),
    expect.stringContaining('It names disp_unread.'),
    expect.stringContaining('It names no id.'),
  ])
  for (const event of ['payment.failed', 'payment.downtime.started', 'settlement.processed', 'refund.created'])
    expect((await notify(told(event, { payment: 7 }))).json()).toEqual({ result: 'ignored' })
})

test('payments for a cancelled order, and second payments of an order, become credits, and the buyer is notified', async () => {
  const customer = await newCustomer(unpaid, database)
  const { id, paymentOrder: orderId, amount } = await waiting(customer)
  expect((await call('POST', `/api/orders/${id}/cancel`, customer)).statusCode).toBe(200)
  expect(await tell({ orderId, amount })).toBe('credited')
  expect(await stateOf(id)).toMatchObject({ status: 'cancelled', payment_status: 'cancelled' })
  expect(await creditBalance(database.db, customer.accountId)).toBe(4)

  const other = await waiting(customer)
  expect(await tell({ orderId: other.paymentOrder, amount, paymentId: 'pay_a' })).toBe('paid')
  expect(await tell({ orderId: other.paymentOrder, amount, paymentId: 'pay_b' })).toBe('credited')
  const mails = await database.db.query<{ type: 'order.paid'; data: Record<string, unknown> }>(
    `SELECT type, data FROM deliver.mail WHERE account_id = $1 AND type = 'order.paid' ORDER BY created_at`,
    [customer.accountId],
  )
  const texts = mails.map(({ type, data }) => mailText(type, data).text)
  expect(texts[0]).toMatch(/after your order .* was cancelled\. It bought 4 credits/)
  expect(texts[1]).toMatch(/^Your payment for your order .* was received/)
  expect(texts[2]).toMatch(/after your order .* was paid\. It bought 4 credits/)
  expect(await creditBalance(database.db, customer.accountId)).toBe(4 + 1 + 4)
})

test('payment and cancellation at the same moment leave the order in one of the two states, and no credit lost', async () => {
  const customer = await newCustomer(unpaid, database)
  for (let round = 0; round < 10; round++) {
    // What a round before bought would come without a charge.
    await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '40 days'`)
    const before = await creditBalance(database.db, customer.accountId)
    const { id, paymentOrder: orderId, amount } = await waiting(customer)
    const [result, cancelled] = await Promise.all([
      tell({ orderId, amount }),
      call('POST', `/api/orders/${id}/cancel`, customer),
    ])
    const won = result === 'paid' ? 1 : 4
    expect([result, cancelled.statusCode]).toEqual(result === 'paid' ? ['paid', 409] : ['credited', 200])
    expect(await creditBalance(database.db, customer.accountId)).toBe(before + won)
  }
})

test('under an Idempotency-Key there is one order, and its payment is the one that was answered', async () => {
  const customer = await newCustomer(unpaid, database)
  const place = () => call('POST', '/api/orders/normal', customer, onlineOrder, { 'idempotency-key': 'once' })
  const [first, second] = [await place(), await place()]
  expect([second.headers['idempotency-replayed'], second.body]).toEqual(['true', first.body])
  expect((await call('GET', '/api/orders', customer)).json().total).toBe(1)
})

test.each([
  ['an error', { status: 500, body: 'oops' }],
  ['another sum', { status: 200, body: '{"id": "order_x", "amount": 1, "currency": "INR"}' }],
  ['no JSON', { status: 200, body: '<html>' }],
])('a processor that answers %s: the order is a 503, and there is none', async (_case, failure) => {
  const customer = await newCustomer(unpaid, database)
  processor.fail = failure
  const reply = await call('POST', '/api/orders/normal', customer, onlineOrder)
  expect([reply.statusCode, reply.json().error_code, reply.headers['retry-after']]).toEqual([
    503,
    'PAYMENT_UNAVAILABLE',
    '10',
  ])
  expect(reply.body).not.toMatch(/oops|key-secret/)
  expect((await call('GET', '/api/orders', customer)).json().total).toBe(0)
})

test('credits can be spent as before, and another label is refused', async () => {
  const customer = await newCustomer(unpaid, database)
  await addCredits(database.db, customer.accountId, 10)
  const paid = await call('POST', '/api/orders/normal', customer, { ...onlineOrder, paymentOption: 'credits' })
  expect([paid.statusCode, paid.json().payment]).toEqual([201, undefined])
  expect(
    (await call('POST', '/api/orders/normal', customer, { ...onlineOrder, paymentOption: 'cash' })).statusCode,
  ).toBe(400)
})

test('money for an account that was erased finds no order, and its refund says where it is made', async () => {
  const customer = await newCustomer(unpaid, database)
  const { paymentOrder: orderId, amount } = await waiting(customer)
  const { email } = (await call('GET', '/api/users/me', customer)).json<{ email: string }>()
  expect((await call('DELETE', '/api/users/me/account', customer, { confirm: email })).statusCode).toBe(200)
  // Under each of its names, and again: an operator handles it once.
  for (const event of ['order.paid', 'payment.captured', 'payment.captured'])
    expect(await tell({ orderId, amount, event, paymentId: `pay_of_${orderId}` })).toBe('erased_account')
  const { data: waits } = (await unpaid.get(`/admin/payments?open=true&search=${orderId}`, operatorToken)).json()
  expect(waits.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['erased_account'])
  const refund = (of: string) =>
    app.inject({
      ...{ method: 'POST', url: '/admin/payments/refund', headers: { authorization: `Bearer ${operatorToken}` } },
      payload: { of, reference: `erased ${of}`, reason: 'the account is gone' },
    })
  expect((await refund(orderId)).json()).toMatchObject({
    ...{ error_code: 'NOT_FOUND', detail: expect.stringContaining("Refund it in the processor's dashboard") },
  })
  expect((await refund('pay_of_nobody')).json().detail).toBe('There is no payment of pay_of_nobody.')
})

test('without a processor online payment is refused with the reason, and there is no webhook', async () => {
  const { token } = await newCustomer(unpaid, database)
  const refused = await unpaid.post('/api/orders/normal', token, onlineOrder)
  expect([refused.statusCode, refused.json().reason]).toEqual([400, 'online_payment_not_configured'])
  expect((await unpaid.post('/webhooks/payments', undefined, {})).statusCode).toBe(404)
})

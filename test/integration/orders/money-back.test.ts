/**
 * Money that comes back after credits were used, in whatever order: nothing that the processor tells is refused, a sale gives back
 * what is left of it and nothing of another one, and what cannot be booked waits for somebody without stopping the rest.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { plans } from '../../../config/sales.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { issueRefund, type RequestedRefund } from '../../../src/orders/payments/issue-refund.ts'
import { type EventRecord, listEvents } from '../../../src/orders/payments/payment-events.ts'
import type { PaymentEvent, PaymentProcessor } from '../../../src/orders/payments/processor.ts'
import { razorpay } from '../../../src/orders/payments/razorpay.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { reconcilePayments } from '../../../src/orders/payments/reconcile.ts'
import { listReceivables } from '../../../src/orders/receivables.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { refundTermByOperator } from '../../../src/orders/subscriptions/take-back-term.ts'
import { type LoggedIn, newCustomer, operatorToken, recordJobs, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
const queue = recordJobs()
beforeAll(() => fillRegisters(database.db))

/** @returns the id of the payment. */
async function buyPack(customer: LoggedIn): Promise<string> {
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  return (await world.box.pay(payment.id))?.id ?? ''
}
async function order(customer: LoggedIn, paymentOption: 'credits' | 'online'): Promise<string> {
  // What was bought before would come without a charge.
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '40 days' WHERE account_id = $1`, [
    customer.accountId,
  ])
  const reply = await world.call('POST', '/api/orders/normal', customer, { ...orderBody, paymentOption })
  expect(reply.statusCode).toBe(201)
  return reply.json()._id
}
/** @returns the id of the order, and of its payment. */
async function orderOnline(customer: LoggedIn): Promise<readonly [string, string]> {
  const orderId = await order(customer, 'online')
  const { payment } = (await world.call('GET', `/api/orders/${orderId}`, customer)).json()
  return [orderId, (await world.box.pay(payment.id))?.id ?? '']
}
const earn = () => closeLedgerDay(database.as('panji_worker'))
const give = (of: string, amount?: number) =>
  asOperator(() =>
    issueRefund(
      { db: database.as('panji_api'), queue, processor: razorpay(world.settings) },
      { of, amount, reason: 'asked for by the buyer', actor: overHttp },
    ),
  )
const returnCredits = (orderId: string) =>
  database.db.transaction((tx) => refundOrder(tx, { orderId, reason: 'bad rows', actor: 'operator' }))
const creditsOf = ({ accountId }: LoggedIn) => creditBalance(database.db, accountId)
const outcomesOf = async (search: string) =>
  (await listEvents(database.db, { search, page: 1, limit: 100 })).events.map(({ outcome }) => outcome).toReversed()
const open = async () => (await listEvents(database.db, { open: true, page: 1, limit: 100 })).events
/** What the ledger says of one customer's money: paise of each account. */
async function moneyOf({ accountId }: LoggedIn): Promise<Record<string, number>> {
  const rows = await database.db.query<{ kind: string; paise: number }>(
    `SELECT account.kind, sum(entry.amount)::bigint AS paise
     FROM ledger.transfer JOIN ledger.entry USING (transfer_id) JOIN ledger.account USING (ledger_account_id)
     JOIN ledger.account AS customer ON customer.ledger_account_id = transfer.customer_id
     WHERE customer.owner_id = $1 AND account.currency = 'paise' GROUP BY account.kind`,
    [accountId],
  )
  return Object.fromEntries(rows.filter(({ paise }) => paise !== 0).map(({ kind, paise }) => [kind, paise]))
}
const [fee, feeTax] = [2_360, 425]
const kept = fee + feeTax

test('a pack that was used, earned and given back credit by credit is refunded as a whole: no money and no credit is left', async () => {
  const customer = await newCustomer(api, database)
  const paymentId = await buyPack(customer)
  const orderId = await order(customer, 'credits')
  await earn()
  expect(await returnCredits(orderId)).toMatchObject({ refunded: 3 })
  expect(await give(paymentId)).toMatchObject({ status: 'made', amount: 118_000 })
  expect(await creditsOf(customer)).toBe(0)
  expect(await moneyOf(customer)).toEqual({ payments: -kept, fees: fee, fee_taxes: feeTax })
  expect(await world.violations()).toEqual([])
})

test('what lapsed is breakage and no revenue, and a refund takes it before what used credits earned', async () => {
  const customer = await newCustomer(api, database)
  const paymentId = await buyPack(customer)
  await order(customer, 'credits')
  await earn()
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `UPDATE ledger.lot SET ends_at = now() - interval '1 day'
       WHERE ledger_account_id = (SELECT ledger_account_id FROM ledger.account WHERE owner_id = $1)`,
      [customer.accountId],
    )
  })
  await earn()
  await earn()
  expect(await moneyOf(customer)).toMatchObject({ earned: -3_000, breakage: -97_000 })
  expect(await world.violations()).toEqual([])
  await give(paymentId, 59_000)
  expect(await moneyOf(customer)).toMatchObject({ earned: -3_000, breakage: -47_000 })
  await earn()
  await give(paymentId)
  expect(await moneyOf(customer)).toEqual({ payments: -kept, fees: fee, fee_taxes: feeTax })
  expect(await world.violations()).toEqual([])
})

test('what was earned is taken from what was earned, in parts that add up, and the credits that were used stay used', async () => {
  const customer = await newCustomer(api, database)
  const paymentId = await buyPack(customer)
  await order(customer, 'credits')
  await earn()
  expect(await moneyOf(customer)).toMatchObject({ earned: -3_000, unearned: -97_000 })
  await give(paymentId, 59_000)
  expect(await creditsOf(customer)).toBe(47)
  expect(await moneyOf(customer)).toMatchObject({ earned: -3_000, unearned: -47_000 })
  await give(paymentId)
  expect(await creditsOf(customer)).toBe(0)
  expect(await moneyOf(customer)).toEqual({ payments: -kept, fees: fee, fee_taxes: feeTax })
  expect(await world.violations()).toEqual([])
})

test.each(['refund', 'chargeback'] as const)(
  'of a pack that was used up and went back in part by a %s, credits of its rows come back for the money that stayed alone',
  async (cause) => {
    const customer = await newCustomer(api, database)
    const paymentId = await buyPack(customer)
    const orderId = await order(customer, 'credits')
    await earn()
    // 98 of the 100 credits: 97 are left of them, and one row more was used than the rest pays for.
    if (cause === 'refund') await give(paymentId, 115_640)
    else await world.box.dispute(paymentId, 'lost', 115_640)
    expect(await creditsOf(customer)).toBe(0)
    const before = await moneyOf(customer)
    expect(await returnCredits(orderId)).toMatchObject({ refunded: 2, credits: 2, items: [1, 2] })
    expect(await creditsOf(customer)).toBe(2)
    const { items } = (await world.call('GET', `/api/orders/${orderId}`, customer)).json()
    expect(items.map(({ refund_reason: why }: { refund_reason: string }) => why)).toEqual([
      ...['money_back', 'operator', 'operator'],
    ])
    expect(await moneyOf(customer)).toEqual(before)
    expect(await world.violations()).toEqual([])
    // What it bought again is refunded as ever: nothing is lacking any more.
    await give(paymentId)
    expect(await creditsOf(customer)).toBe(0)
    expect(await world.violations()).toEqual([])
  },
)

test('a row whose money went back before does not keep those from being taken back that are named beside it', async () => {
  const customer = await newCustomer(api, database)
  const [orderId, paymentId] = await orderOnline(customer)
  // Of three rows one goes back with its price, and the price of another as a rebate: what stayed pays for one of the two left.
  await asOperator(() =>
    issueRefund(
      { db: database.as('panji_api'), queue, processor: razorpay(world.settings) },
      { of: orderId, items: [1], reason: 'a wrong row', actor: overHttp },
    ),
  )
  await give(paymentId, 1_180)
  const before = await moneyOf(customer)
  const goBack = (items: readonly number[]) =>
    database.db.transaction((tx) => refundOrder(tx, { orderId, items, reason: 'bad rows', actor: 'operator' }))
  expect(await goBack([1, 2])).toEqual({ order_id: orderId, refunded: 0, credits: 0, money_back: 1, items: [] })
  await expect(goBack([1, 2])).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await goBack([0])).toMatchObject({ refunded: 1, money_back: 0, items: [0] })
  expect(await moneyOf(customer)).toEqual(before)
  expect(await world.violations()).toEqual([])
})

test('credits of a plan that are spent on rows, and those that paid for a term, come back for the money that stayed alone', async () => {
  const customer = await newCustomer(api, database)
  const buy = async (url: string, body: object) => {
    const reply = (await world.call('POST', url, customer, body)).json()
    return reply.purchase ?? reply
  }
  const pack = await buy('/api/credits/purchase', { pack_id: 'credits-500' })
  const packPayment = (await world.box.pay(pack.payment.id))?.id ?? ''
  await buy('/api/plans/premium-month/buy', { payment_option: 'credits' })
  // 400 of the 500: 200 were left, 300 had gone for the term.
  await give(packPayment, 424_800)
  const [term] = (await world.call('GET', '/api/subscriptions', customer)).json().data
  const refund = await asOperator(() =>
    database
      .as('panji_api')
      .transaction((tx) =>
        refundTermByOperator(tx, { subscriptionId: term.subscription_id, reason: 'asked for', actor: overHttp }),
      ),
  )
  expect(refund).toMatchObject({ credits: 100, used: 0 })
  expect(await creditsOf(customer)).toBe(100)
  expect(await world.violations()).toEqual([])

  const other = await newCustomer(api, database)
  const bought = (await world.call('POST', '/api/plans/premium-month/buy', other, { payment_option: 'online' })).json()
  const planPayment = (await world.box.pay(bought.purchase.payment.id))?.id ?? ''
  const orderId = await order(other, 'credits')
  const { amount, credits } = plans[0]
  await give(planPayment, Math.ceil((amount * (credits - 2)) / credits))
  expect(await returnCredits(orderId)).toMatchObject({ refunded: 2, items: [1, 2] })
  expect(await creditsOf(other)).toBe(2)
  expect(await world.violations()).toEqual([])
})

test.each(['refund', 'chargeback'] as const)(
  'of two packs the %s of one takes what is left of it, and nothing of the other',
  async (cause) => {
    const customer = await newCustomer(api, database)
    const [first] = [await buyPack(customer), await buyPack(customer)]
    await order(customer, 'credits')
    await earn()
    if (cause === 'refund') await give(first)
    else await world.box.chargeBack(first)
    expect(await creditsOf(customer)).toBe(100)
    const owed: Record<string, number> = cause === 'refund' ? {} : { receivables: 3_000, earned: -3_000 }
    expect(await moneyOf(customer)).toEqual({
      ...{ payments: 118_000 - 2 * kept, fees: 2 * fee, fee_taxes: 2 * feeTax, taxes: -18_000, unearned: -100_000 },
      ...owed,
    })
    expect(await world.violations()).toEqual([])
  },
)

test('the refund of an online order takes nothing of the pack beside it, whichever of both was bought first', async () => {
  for (const packFirst of [true, false]) {
    const customer = await newCustomer(api, database)
    if (packFirst) await buyPack(customer)
    const [orderId, paymentId] = await orderOnline(customer)
    if (!packFirst) await buyPack(customer)
    await earn()
    await give(paymentId)
    expect(await creditsOf(customer)).toBe(100)
    expect((await world.call('GET', `/api/orders/${orderId}`, customer)).json().payment_status).toBe('refunded')
    expect(await world.violations()).toEqual([])
  }
})

test('an order that was paid twice keeps its goods when one of both goes back, and the credits of the other go for it', async () => {
  for (const first of [true, false]) {
    const customer = await newCustomer(api, database)
    const orderId = await order(customer, 'online')
    const { payment } = (await world.call('GET', `/api/orders/${orderId}`, customer)).json()
    const { id: paymentId = '' } = (await world.box.pay(payment.id)) ?? {}
    const second = {
      paymentId: `${paymentId}2`,
      paymentOrderId: payment.id,
      amount: payment.amount,
      currency: 'INR',
      fee: 0,
      feeTax: 0,
    }
    const eventOrigin = { provider: 'razorpay', seller: world.settings.seller, source: 'webhook' as const }
    const tell = (event: PaymentEvent) => receiveEvent(database.as('panji_api'), queue, eventOrigin, event)
    expect(await tell({ name: 'paid', kind: 'paid', payment: second })).toMatchObject({ outcome: 'credited' })
    expect(await creditsOf(customer)).toBe(3)
    const back = { refundId: `rfnd_${paymentId}`, amount: payment.amount, currency: 'INR', cause: 'refund' as const }
    await tell({ name: 'back', kind: 'repaid', refund: { ...back, paymentId: first ? paymentId : second.paymentId } })
    expect(await creditsOf(customer)).toBe(0)
    expect((await world.call('GET', `/api/orders/${orderId}`, customer)).json().payment_status).toBe('paid')
    expect(await world.violations()).toEqual([])
  }
})

test('a chargeback after a partial refund is booked: what the bank took beyond the payment is owed', async () => {
  const customer = await newCustomer(api, database)
  const paymentId = await buyPack(customer)
  await give(paymentId, 59_000)
  await world.box.chargeBack(paymentId)
  expect(await creditsOf(customer)).toBe(0)
  expect(await moneyOf(customer)).toEqual({
    payments: -59_000 - kept,
    fees: fee,
    fee_taxes: feeTax,
    receivables: 59_000,
  })
  expect(world.box.notices().map(({ status }) => status)).not.toContain(409)
  expect(await give(paymentId, 1).catch(({ code }) => code)).toBe('CONFLICT')
  expect(await world.violations()).toEqual([])
})

test('whoever gets money back is told once of each part by e-mail and webhook, with its credit note and what is owed', async () => {
  const [customer, other, erased] = [
    await newCustomer(api, database),
    await newCustomer(api, database),
    await newCustomer(api, database),
  ]
  const url = 'https://hooks.example.in/refunds'
  const hook = await world.call('POST', '/api/crm/webhooks', customer, { url, events: ['payment.refunded'] })
  expect(hook.statusCode).toBe(201)
  const [orderId, paymentId] = await orderOnline(customer)
  const { refund_id: refundId } = await give(orderId, 1_180)
  // The bank takes all of it, also what was given back before.
  await world.box.chargeBack(paymentId)
  // Told and asked again, it is known.
  await world.box.chargeBack(paymentId)
  await world.reconcile(paymentId)
  expect(refundId).not.toBeNull()
  const pack = await buyPack(other)
  await world.refund(pack)
  const gone = await buyPack(erased)
  const { kept: keptOf } = await database.db.transaction((tx) => eraseAccount(tx, erased.accountId))
  expect(keptOf).toMatchObject({ orders: 0, invoices: 1 })
  await world.refund(gone)
  const [{ data: notes }, { owed }] = [
    (await world.call('GET', '/api/invoices', customer)).json(),
    (await world.call('GET', '/api/users/me', customer)).json(),
  ]
  const credits: { number: string; total: number }[] = notes.filter(
    ({ kind }: { kind: string }) => kind === 'credit_note',
  )
  const numberOf = (paise: number) => credits.find(({ total }) => total === paise)?.number
  const paid = notes.find(({ kind }: { kind: string }) => kind === 'invoice').total
  const of = { payment_id: paymentId, order_id: orderId, purchase_id: null }
  const told = [
    { ...of, amount: 1_180, cause: 'refund', credit_note: numberOf(1_180), owed: 0 },
    { ...of, amount: paid, cause: 'chargeback', credit_note: numberOf(paid - 1_180), owed },
  ]
  const sent = await database.db.query(
    `SELECT data FROM deliver.event WHERE account_id = $1 AND type = 'payment.refunded' ORDER BY created_at`,
    [customer.accountId],
  )
  expect(sent).toEqual(told.map((data) => ({ data })))
  const mailed = (accountId: string) =>
    database.db.query(
      `SELECT data FROM deliver.mail WHERE account_id = $1 AND type = 'payment.refunded' ORDER BY created_at`,
      [accountId],
    )
  expect(await mailed(customer.accountId)).toMatchObject(told.map((data) => ({ data: { ...data, order_records: 3 } })))
  expect(await mailed(other.accountId)).toMatchObject([
    { data: { payment_id: pack, order_id: null, amount: 118_000, cause: 'refund', owed: 0 } },
  ])
  expect(await mailed(erased.accountId)).toEqual([])
})

test('what an erased account owes is listed without its address, and collected or written off by its id', async () => {
  const gone = await newCustomer(api, database)
  const paymentId = await buyPack(gone)
  await order(gone, 'credits')
  await world.box.chargeBack(paymentId)
  await database.db.transaction((tx) => eraseAccount(tx, gone.accountId))
  const debt = async () => {
    const { data } = (await api.get('/admin/debts', operatorToken)).json<{ data: { user_id: string }[] }>()
    return data.find(({ user_id: id }) => id === gone.accountId)
  }
  expect(await debt()).toMatchObject({ email: null, owed: 3_000 })
  const settle = (way: 'collect' | 'write-off', of: string, amount?: number) =>
    api.post(`/admin/users/${of}/debt/${way}`, operatorToken, { amount, reference: way, reason: 'gone' })
  expect((await settle('collect', gone.accountId, 1_000)).json()).toMatchObject({ settled: 1_000, owed: 2_000 })
  expect((await settle('write-off', gone.accountId)).json()).toMatchObject({ settled: 2_000, owed: 0 })
  expect(await debt()).toBeUndefined()
  expect((await settle('write-off', randomUUID())).json()).toMatchObject({ error_code: 'NOT_FOUND' })
  expect(await world.violations()).toEqual([])
})

test('what is owed is collected or written off by an operator, once under a reference, and never more than it is', async () => {
  const [customer, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  for (const each of [customer, other]) {
    const paymentId = await buyPack(each)
    await order(each, 'credits')
    await earn()
    await world.box.chargeBack(paymentId)
  }
  const owedBy = async ({ accountId }: LoggedIn) =>
    (await listReceivables(database.db)).find(({ user_id: id }) => id === accountId)?.owed
  expect([await owedBy(customer), await owedBy(other)]).toEqual([3_000, 3_000])
  const settle = async (way: 'collect' | 'write-off', asked: { reference: string; amount?: number }) => {
    const body = { ...asked, reason: 'by bank' }
    return (await api.post(`/admin/users/${customer.accountId}/debt/${way}`, operatorToken, body)).json()
  }
  const collected = { reference: 'bank 7', amount: 1_000 }
  expect(await settle('collect', collected)).toEqual({ user_id: customer.accountId, settled: 1_000, owed: 2_000 })
  expect(await settle('collect', collected)).toEqual({ user_id: customer.accountId, settled: 1_000, owed: 2_000 })
  expect(await settle('collect', { ...collected, amount: 999 })).toMatchObject({ error_code: 'CONFLICT' })
  const { data } = (await api.get('/admin/debts', operatorToken)).json<{ data: { user_id: string }[] }>()
  expect(data.find(({ user_id: id }) => id === customer.accountId)).toMatchObject({ owed: 2_000 })
  expect(await settle('collect', { reference: 'bank 8', amount: 2_001 })).toMatchObject({ error_code: 'CONFLICT' })
  await expect(
    database.db.query(
      `SELECT * FROM ledger.post_money('write_off', $1, 2001, NULL, NULL, NULL, 'x', 'operator', 'x')`,
      [customer.accountId],
    ),
  ).rejects.toMatchObject({ code: '23514' })
  expect(await settle('write-off', { reference: 'lost' })).toMatchObject({ settled: 2_000, owed: 0 })
  expect(await settle('write-off', { reference: 'lost' })).toMatchObject({ settled: 2_000, owed: 0 })
  expect(await settle('write-off', { reference: 'later' })).toMatchObject({ error_code: 'CONFLICT' })
  const acts = await database.db.query(
    `SELECT action, detail -> 'paise' AS paise FROM access.audit WHERE subject = $1 AND detail ? 'paise' ORDER BY action`,
    [customer.accountId],
  )
  expect(acts).toEqual([
    { action: 'collect debt', paise: 1_000 },
    { action: 'write off debt', paise: 2_000 },
  ])
  expect([await owedBy(customer), await owedBy(other)]).toEqual([undefined, 3_000])
  expect(await moneyOf(customer)).toMatchObject({ losses: 2_000, earned: -3_000 })
  expect(await world.violations()).toEqual([])
})

test('whoever charges a pack back owes what was used of it, whether the hourly job had earned that or not', async () => {
  const [early, late] = [await newCustomer(api, database), await newCustomer(api, database)]
  for (const customer of [early, late]) {
    const paymentId = await buyPack(customer)
    await order(customer, 'credits')
    if (customer === late) await earn()
    await world.box.chargeBack(paymentId)
  }
  expect(await moneyOf(early)).toEqual(await moneyOf(late))
  expect(await moneyOf(early)).toMatchObject({ earned: -3_000, receivables: 3_000 })
  await earn()
  expect(await moneyOf(early)).toEqual(await moneyOf(late))
  expect(await world.violations()).toEqual([])
})

test('what the processor told names the order or the purchase that it is about, and is found by its id', async () => {
  const customer = await newCustomer(api, database)
  await buyPack(customer)
  const [{ purchase_id: purchaseId }] = (await world.call('GET', '/api/credits/purchases', customer)).json().data
  const [orderId] = await orderOnline(customer)
  const about = async (id: string) => {
    const { data } = (await api.get(`/admin/payments?search=${id}`, operatorToken)).json<{ data: EventRecord[] }>()
    return data.map(({ outcome, order_id: order, purchase_id: purchase }) => [outcome, order, purchase])
  }
  expect(await about(purchaseId)).toEqual(['known', 'paid', 'asked'].map((each) => [each, null, purchaseId]))
  expect(await about(orderId)).toEqual(['known', 'paid', 'asked'].map((each) => [each, orderId, null]))
})

test('what could not be booked names the order or the purchase that it is about, too', async () => {
  const customer = await newCustomer(api, database)
  const eventOrigin = { provider: 'razorpay', seller: world.settings.seller, source: 'webhook' as const }
  const tell = (event: PaymentEvent) => receiveEvent(database.as('panji_api'), queue, eventOrigin, event)
  const namedBy = async (search: string) =>
    (await listEvents(database.db, { search, page: 1, limit: 100 })).events
      .filter(({ outcome }) => outcome === 'mismatch')
      .map(({ order_id: order, purchase_id: purchase }) => [order, purchase])
  const { purchase_id: purchaseId, payment } = (
    await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })
  ).json()
  const other = {
    paymentId: 'pay_Other',
    paymentOrderId: payment.id,
    amount: 117_999,
    currency: 'INR',
    fee: 0,
    feeTax: 0,
  }
  expect(await tell({ name: 'paid', kind: 'paid', payment: other })).toMatchObject({ outcome: 'mismatch' })
  expect(await namedBy(purchaseId)).toEqual([[null, purchaseId]])
  const [orderId, paymentId] = await orderOnline(customer)
  const refund = { refundId: 'rfnd_Beyond', paymentId, amount: 1_000_000, currency: 'INR', cause: 'refund' as const }
  expect(await tell({ name: 'back', kind: 'repaid', refund })).toMatchObject({ outcome: 'mismatch' })
  expect(await namedBy(orderId)).toEqual([[orderId, null]])
  expect(await namedBy('rfnd_Beyond')).toEqual([[orderId, null]])
})

test('a refund that meets the job which earns the same money is booked as the job leaves it, and not parked', async () => {
  const customer = await newCustomer(api, database)
  const [, paymentId] = await orderOnline(customer)
  const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  // So little that no credit goes with it: nothing but the money of the lot is moved.
  const refund = await database.db.transaction(async (tx) => {
    await tx.query('SELECT ledger.earn_spent(500)')
    const asked = world.refund(paymentId, 1_000)
    await vi.waitUntil(async () => (await database.db.query(waits)).length > 0, { timeout: 60_000, interval: 20 })
    return { asked }
  })
  await refund.asked
  expect(await outcomesOf(paymentId)).toEqual(['paid', 'known', 'repaid'])
  expect(await world.violations()).toEqual([])
})

test('what cannot be booked waits with its reason, is told once, and stops nothing behind it', async () => {
  const [buyer, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  // The newest is asked for first.
  const [behind, paymentId] = [await buyPack(other), await buyPack(buyer)]
  world.box.addFault({ kind: 'webhook_lost', times: 2 })
  await world.refund(paymentId)
  await world.refund(behind, 11_800)
  const real = razorpay(world.settings)
  const processor: PaymentProcessor = {
    ...real,
    refundsOf: async (id) =>
      (await real.refundsOf(id)).map((refund) => ({ ...refund, amount: refund.amount + (id === paymentId ? 1 : 0) })),
  }
  const asking = () => reconcilePayments({ db: database.as('panji_api'), queue, processor })
  expect(await asking()).toMatchObject({ settled: 1, refused: 1 })
  expect(await asking()).toMatchObject({ settled: 0, refused: 1 })
  expect([await creditsOf(other), await creditsOf(buyer)]).toEqual([90, 100])
  const parked = (await open()).filter(({ payment_id: id }) => id === paymentId)
  expect(parked).toMatchObject([
    { outcome: 'mismatch', amount: 118_001, detail: expect.stringContaining('were refunded of a payment of') },
  ])
  expect(await world.violations()).toEqual([])
})

test('what the ledger refuses is parked, and booked and closed once they take it', async () => {
  const customer = await newCustomer(api, database)
  const { purchase_id: id, payment } = (
    await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })
  ).json()
  world.box.addFault({ kind: 'webhook_lost' })
  const { id: paymentId = '' } = (await world.box.pay(payment.id)) ?? {}
  const asking = (seller: typeof world.settings.seller) =>
    reconcilePayments({ db: database.as('panji_api'), queue, processor: razorpay({ ...world.settings, seller }) }, id)
  expect(await asking(undefined)).toMatchObject({ settled: 0, refused: 1 })
  expect(await asking(undefined)).toMatchObject({ settled: 0, refused: 1 })
  expect((await open()).filter((event) => event.payment_id === paymentId)).toMatchObject([
    { outcome: 'parked', detail: expect.stringContaining('PANJI_SELLER_NAME') },
  ])
  expect(await asking(world.settings.seller)).toMatchObject({ settled: 1 })
  expect((await open()).filter((event) => event.payment_id === paymentId)).toEqual([])
  expect(await outcomesOf(paymentId)).toEqual(['parked', 'paid'])
  expect(await creditsOf(customer)).toBe(100)
})

test('a part that an operator gives back says which rows it takes: those that are named with their price, else none', async () => {
  const customer = await newCustomer(api, database)
  const [orderId, paymentId] = await orderOnline(customer)
  const rows = async () => {
    const { items } = (await world.call('GET', `/api/orders/${orderId}`, customer)).json()
    return items.map(({ refund_reason: reason }: { refund_reason: string | null }) => reason)
  }
  const giving = (asked: Partial<RequestedRefund>) =>
    asOperator(() =>
      issueRefund(
        { db: database.as('panji_api'), queue, processor: razorpay(world.settings) },
        { of: orderId, reason: 'a wrong row', actor: overHttp, ...asked },
      ),
    )
  expect(await giving({ amount: 100, reference: 'rebate' })).toMatchObject({ amount: 100, takes_back: [] })
  expect(await rows()).toEqual([null, null, null])

  const named = { items: [1], reference: 'row 1' }
  const taken = { status: 'made', amount: 1_180, takes_back: [{ order_id: orderId, index: 1 }] }
  expect(await giving(named)).toMatchObject(taken)
  expect(await giving(named)).toMatchObject(taken)
  await expect(giving({ ...named, items: [2] })).rejects.toMatchObject({ code: 'CONFLICT' })
  for (const items of [[1], [7]]) await expect(giving({ items })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await rows()).toEqual([null, 'money_back', null])
  // The credit of a row that is taken back goes with the money, also where less than its price is given back.
  expect(await giving({ items: [2], amount: 180 })).toMatchObject({ takes_back: [{ index: 2 }] })
  expect([await rows(), await creditsOf(customer)]).toEqual([[null, 'money_back', 'money_back'], 0])
  expect(await world.violations()).toEqual([])

  await earn()
  expect(await giving({})).toMatchObject({ amount: 3_540 - 1_460, takes_back: null })
  expect([(await moneyOf(customer))['unearned'], await creditsOf(customer)]).toEqual([undefined, 0])
  const pack = await buyPack(customer)
  await expect(giving({ of: pack, items: [0] })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await outcomesOf(paymentId)).not.toContain('parked')
  expect(await world.violations()).toEqual([])
})

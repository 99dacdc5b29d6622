/** Plans and offers that are bought: what they open, for how long, and what of it goes back with the money. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { creditPacks, type PlanDefinition, plans } from '../../../config/sales.ts'
import { listGrants } from '../../../src/access/grants.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { giveTerm } from '../../../src/orders/subscriptions/buy-term.ts'
import { keepSubscriptions } from '../../../src/orders/subscriptions/keep-subscriptions.ts'
import { type LoggedIn, newCustomer, type TestApi, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, known } from '../../support/api-world.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useTestDatabase } from '../../support/database.ts'
import { letDaysPass, usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const day = 86_400_000
const plan = '/api/plans/premium-month/buy'
const get = async (url: string, customer: LoggedIn) => (await world.call('GET', url, customer)).json()
const post = async (url: string, customer: LoggedIn, body: object = {}) => {
  const reply = await world.call('POST', url, customer, body)
  return { code: reply.statusCode, ...reply.json() }
}
const held = async (customer: LoggedIn) => (await get('/api/subscriptions', customer)).data
const open = async (customer: LoggedIn) => {
  const { datasets, rate_limits: limits } = await get('/api/access', customer)
  const { gst } = datasets.recently_registered
  return { gst: gst.enabled, by: gst.granted_by, details: limits.detail_endpoints.daily_limit }
}
const opened = { gst: true, by: 'subscription', details: 1000 }
const closed = { gst: false, by: null, details: 100 }
const creditsOf = async (customer: LoggedIn) => {
  const { credits } = await get('/api/access', customer)
  return Object.fromEntries(credits.map(({ type, balance }: { type: string; balance: number }) => [type, balance]))
}
const paid = async (customer: LoggedIn, url = plan) => {
  const { code, purchase } = await post(url, customer, { payment_option: 'online' })
  expect(code).toBe(201)
  return { ...(await world.box.pay(purchase.payment.id)), purchaseId: purchase.purchase_id as string }
}
const pass = (customer: LoggedIn, days: number) => letDaysPass(database, customer.accountId, days)
const requests = () => database.as('panji_api')
const trade = () => database.as('panji_trade')
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / day)

test('what is on sale says what it costs in money and in credits, and that money can be taken', async () => {
  const customer = await newCustomer(api, database)
  expect((await get('/api/credits/packs', customer)).online_payment).toBe(true)
  expect((await api.get('/api/credits/packs', customer.token)).json().online_payment).toBe(false)
  const { data, offers: priced } = await get('/api/plans', customer)
  expect(data.map(({ id }: { id: string }) => id)).toEqual(plans.map(({ id }) => id))
  expect(priced.find(({ id }: { id: string }) => id === 'recent-companies-30')).toMatchObject({
    ...{ amount: 399_900, net: 338_898, tax: 61_002, price_credits: 330, days: 30, datasets: ['company', 'director'] },
  })
})

test('purchases are listed, the newest first, with what became of each', async () => {
  const customer = await newCustomer(api, database)
  const { purchaseId } = await paid(customer)
  const pack = await post('/api/credits/purchase', customer, { pack_id: creditPacks[0].id })
  const { data, total } = await get('/api/credits/purchases', customer)
  expect(total).toBe(2)
  expect(data.map(({ purchase_id: id, status }: Record<string, string>) => [id, status])).toEqual([
    [pack.purchase_id, 'pending'],
    [purchaseId, 'paid'],
  ])
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['100 credits', plans[0].name])
  expect((await get('/api/credits/purchases?status=pending&limit=1', customer)).data).toEqual([data[0]])
  expect((await get('/api/credits/purchases', await newCustomer(api, database))).data).toEqual([])
})

test('a plan bought with credits opens its feeds, its limits and its credits at once, and a repeat under one key buys once', async () => {
  const customer = await newCustomer(api, database)
  expect((await post(plan, customer, { payment_option: 'credits' })).error_code).toBe('INSUFFICIENT_CREDITS')
  expect(await held(customer)).toEqual([])
  await addCredits(database.db, customer.accountId, 300)
  const buy = () => world.call('POST', plan, customer, { payment_option: 'credits' }, { 'idempotency-key': 'one-plan' })
  const first = await buy()
  expect(first.statusCode).toBe(201)
  expect((await buy()).body).toBe(first.body)
  const [subscription, ...more] = await held(customer)
  expect(more).toEqual([])
  expect(subscription).toEqual(first.json().subscription)
  expect(subscription).toMatchObject({
    status: 'active',
    product: 'premium-month',
    auto_renew: false,
    cancelled_at: null,
  })
  expect(daysBetween(subscription.started_at, subscription.ends_at)).toBe(30)
  expect(daysBetween(subscription.ends_at, subscription.open_until)).toBe(3)
  expect(await open(customer)).toEqual(opened)
  expect(await creditsOf(customer)).toEqual({ plan: 100, granted: 0 })
  const { datasets } = await get('/api/access', customer)
  expect(datasets.recently_registered.gst).toMatchObject({
    date_window: { from: indianDayOf(new Date(subscription.started_at)), anchored_to_subscription: true },
    plans: [{ plan_name: 'Premium, monthly', interval: 'month', expires_at: subscription.open_until }],
  })
  expect((await get('/api/users/me', customer)).api_usage.detail_daily_limit).toBe(1000)
  expect(await world.violations()).toEqual([])
})

test('credits that a plan includes pay for no plan, and the refusal says so', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 310)
  expect((await post(plan, customer, { payment_option: 'credits' })).code).toBe(201)
  expect(await creditsOf(customer)).toEqual({ granted: 10, plan: 100 })
  const refused = await post('/api/offers/recent-gst-30/buy', customer, { payment_option: 'credits' })
  expect(refused).toMatchObject({ error_code: 'INSUFFICIENT_CREDITS', required: 250, balance: 10 })
  expect(refused.detail).toBe(
    'It costs 250 credits, and 10 can be spent on it. Credits that a plan includes pay for records alone. Nothing was written.',
  )
})

test('a plan paid online starts with its payment and invoice, and once even if the payment is reported twice', async () => {
  const customer = await newCustomer(api, database)
  world.box.addFault({ kind: 'webhook_twice' })
  const { purchaseId } = await paid(customer)
  expect((await get(`/api/credits/purchases/${purchaseId}`, customer)).status).toBe('paid')
  expect(await open(customer)).toEqual(opened)
  expect(await creditsOf(customer)).toEqual({ plan: 100 })
  expect((await held(customer))[0].terms).toHaveLength(1)
  const { data } = await get('/api/invoices', customer)
  expect(data).toMatchObject([{ kind: 'invoice', net: 300_000, cgst: 27_000, sgst: 27_000, total: 354_000 }])
  expect(data[0].description).toContain('Premium, monthly')
  expect(await world.violations()).toEqual([])
})

test('a renewal before the end adds its days, one in the days of grace begins where the term ended, one after begins anew', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 1500)
  await post(plan, customer, { payment_option: 'credits' })
  const [{ subscription_id: id }] = await held(customer)
  await pass(customer, 10)
  expect((await post(`/api/subscriptions/${id}/renew`, customer, { payment_option: 'credits' })).code).toBe(201)
  const [twice] = await held(customer)
  expect([daysBetween(twice.started_at, twice.ends_at), twice.terms.length]).toEqual([60, 2])
  await pass(customer, 51)
  expect((await held(customer))[0].status).toBe('grace')
  expect(await open(customer)).toEqual(opened)
  expect((await post(plan, customer, { payment_option: 'credits' })).code).toBe(201)
  const [thrice] = await held(customer)
  expect([thrice.subscription_id, thrice.status, daysBetween(thrice.started_at, thrice.ends_at)]).toEqual([
    id,
    'active',
    90,
  ])
  await pass(customer, 33)
  expect((await held(customer))[0].status).toBe('ended')
  expect(await open(customer)).toEqual(closed)
  const over = await post(`/api/subscriptions/${id}/renew`, customer, { payment_option: 'credits' })
  expect([over.code, over.error_code]).toEqual([409, 'CONFLICT'])
  await post(plan, customer, { payment_option: 'credits' })
  const [anew] = await held(customer)
  expect(anew.subscription_id).not.toBe(id)
  expect(daysBetween(anew.started_at, anew.ends_at)).toBe(30)
  expect(await world.violations()).toEqual([])
})

describe('where a plan on sale was changed meanwhile, as an operator changes config/sales.ts', () => {
  const asSold = structuredClone(plans[0])
  const change = (changed: Partial<PlanDefinition>) => Object.assign(plans[0], asSold, changed)
  afterEach(() => change({}))
  const opens = async (customer: LoggedIn) => {
    const { datasets, rate_limits: limits } = await get('/api/access', customer)
    const { gst, company } = datasets.recently_registered
    return [gst.enabled, company.enabled, limits.detail_endpoints.daily_limit]
  }

  test('a renewal brings the limits, feeds and days of grace of its day, and those of the term before stay to its end', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 600)
    await post(plan, customer, { payment_option: 'credits', auto_renew: true })
    change({ limits: null, datasets: ['company'], graceDays: 5 })
    await pass(customer, 29.5)
    expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 1 })
    expect(await opens(customer)).toEqual([true, true, 1000])
    await pass(customer, 1)
    expect(await opens(customer)).toEqual([false, true, 100])
    const [{ ends_at, open_until }] = await held(customer)
    expect(daysBetween(ends_at, open_until)).toBe(5)
    await pass(customer, 34)
    expect([(await held(customer))[0].status, await opens(customer)]).toEqual(['grace', [false, true, 100]])
    await pass(customer, 1)
    expect([(await held(customer))[0].status, await opens(customer)]).toEqual(['ended', [false, false, 100]])
    expect(await world.violations()).toEqual([])
  })

  test('a subscription is called and priced as the term was sold that runs, and so is its end', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 900)
    await post(plan, customer, { payment_option: 'credits', auto_renew: true })
    const first = { name: asSold.name, interval: 'month', paid_with: 'credits', price: asSold.priceCredits }
    const second = { name: 'Premium, yearly', interval: 'year', paid_with: 'credits', price: 300 }
    const shown = async () => {
      const [{ name, interval, paid_with, price, terms }] = await held(customer)
      return [{ name, interval, paid_with, price }, terms]
    }
    expect(await shown()).toEqual([first, [expect.objectContaining(first)]])
    change({ name: second.name, interval: 'year', days: 365, priceCredits: 300 })
    await pass(customer, 29.5)
    expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 1 })
    const both = [expect.objectContaining(first), expect.objectContaining(second)]
    expect(await shown()).toEqual([first, both])
    await pass(customer, 1)
    expect(await shown()).toEqual([second, both])
    // The answer of an act says the same.
    const [{ subscription_id: id }] = await held(customer)
    expect(await post(`/api/subscriptions/${id}/cancel`, customer)).toMatchObject(second)
    await pass(customer, 365)
    const [over] = await held(customer)
    expect(over).toMatchObject({ ...second, status: 'ended' })
    expect(await world.violations()).toEqual([])
  })

  test('a grant is called as the term was sold that runs and opens it, in the statement, by the feed and to operators', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 900)
    await post(plan, customer, { payment_option: 'credits' })
    change({ name: 'Premium, yearly', interval: 'year', days: 365, priceCredits: 300, datasets: ['gst', 'company'] })
    await post(plan, customer, { payment_option: 'credits' })
    const called = async (dataset: 'gst' | 'company') => {
      const entry = (await get('/api/access', customer)).datasets.recently_registered[dataset]
      const feed = dataset === 'gst' ? dataset : 'companies'
      const page = await post(`/api/recently-registered/${feed}`, customer)
      const grants = (await listGrants(requests(), customer.accountId)).filter((grant) => grant.dataset === dataset)
      const [{ plan_name: name, interval }] = [...entry.plans, {}]
      expect([page.access?.grants[0]?.plan, grants[0]?.planName, grants[0]?.interval]).toEqual([
        name,
        name ?? entry.ended_grants[0]?.plan,
        interval ?? 'year',
      ])
      return [name ?? entry.ended_grants[0]?.plan, interval]
    }
    expect(await called('gst')).toEqual([asSold.name, 'month'])
    // Open since the term was bought that will open it, and never sold by another name.
    expect(await called('company')).toEqual(['Premium, yearly', 'year'])
    await pass(customer, 31)
    expect([await called('gst'), await called('company')]).toEqual(Array(2).fill(['Premium, yearly', 'year']))
    change({ name: 'Premium, without GST', datasets: ['company'], priceCredits: 300 })
    await post(plan, customer, { payment_option: 'credits' })
    expect(await called('company')).toEqual(['Premium, yearly', 'year'])
    await pass(customer, 365)
    // The term that runs does not open it: it ended, under the name by which it was open last.
    expect(await called('gst')).toEqual(['Premium, yearly', undefined])
    expect(await called('company')).toEqual(['Premium, without GST', 'month'])
    expect(await world.violations()).toEqual([])
  })

  test('the notice of an end has the name of the term that ends', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 600)
    await post(plan, customer, { payment_option: 'credits' })
    change({ name: 'Premium, renamed' })
    await post(plan, customer, { payment_option: 'credits' })
    await pass(customer, 59.5)
    await keepSubscriptions(trade())
    const told = await database.db.query(
      `SELECT data ->> 'name' AS name FROM deliver.mail WHERE account_id = $1 AND type = 'subscription.ending'`,
      [customer.accountId],
    )
    expect(told).toEqual([{ name: 'Premium, renamed' }])
  })

  test('what a renewal opened is closed with its money, and what the term before opened stays to its end', async () => {
    const customer = await newCustomer(api, database)
    change({ limits: null })
    await paid(customer)
    change({ datasets: ['company'] })
    const { id: renewal = '' } = await paid(customer)
    expect(await opens(customer)).toEqual([true, true, 1000])
    expect(await world.refund(renewal)).toBe(200)
    expect(await opens(customer)).toEqual([true, false, 100])
    await pass(customer, 30.5)
    expect(await opens(customer)).toEqual([false, false, 100])
    expect(await world.violations()).toEqual([])
  })
})

test('what is cancelled goes on to its end without days of grace, and bought again it goes on', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 600)
  await post(plan, customer, { payment_option: 'credits' })
  const [{ subscription_id: id }] = await held(customer)
  const cancelled = await post(`/api/subscriptions/${id}/cancel`, customer)
  expect(cancelled).toMatchObject({ subscription_id: id, open_until: cancelled.ends_at })
  expect((await held(customer))[0].status).toBe('cancelled')
  expect(await post(`/api/subscriptions/${id}/cancel`, customer)).toEqual(cancelled)
  await pass(customer, 29)
  expect(await open(customer)).toEqual(opened)
  await pass(customer, 1.01)
  expect(await open(customer)).toEqual(closed)
  expect((await post(`/api/subscriptions/${id}/cancel`, customer)).error_code).toBe('CONFLICT')
  const other = await newCustomer(api, database)
  await addCredits(database.db, other.accountId, 600)
  await post(plan, other, { payment_option: 'credits' })
  const [theirs] = await held(other)
  expect((await post(`/api/subscriptions/${theirs.subscription_id}/cancel`, customer)).code).toBe(404)
  await post(`/api/subscriptions/${theirs.subscription_id}/cancel`, other)
  await post(plan, other, { payment_option: 'credits' })
  expect((await held(other))[0]).toMatchObject({ status: 'active', cancelled_at: null })
})

test('a refund takes as much time and credits as money, a chargeback the rest, and the ledger agrees', async () => {
  const customer = await newCustomer(api, database)
  const payment = await paid(customer)
  const [before] = await held(customer)
  expect(await world.refund(payment.id ?? '', 177_000)).toBe(200)
  const [half] = await held(customer)
  expect([daysBetween(half.started_at, half.ends_at), half.open_until]).toEqual([15, half.ends_at])
  expect(half.terms[0].taken_back_at).not.toBeNull()
  expect(await creditsOf(customer)).toEqual({ plan: 50 })
  expect(await open(customer)).toEqual(opened)
  await pass(customer, 20)
  expect(await open(customer)).toEqual(closed)
  await world.refund(payment.id ?? '')
  expect((await held(customer))[0].ends_at).toBe(new Date(Date.parse(half.ends_at) - 20 * day).toISOString())
  expect((await get(`/api/credits/purchases/${payment.purchaseId}`, customer)).status).toBe('refunded')
  expect((await get('/api/invoices', customer)).data.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...['credit_note', 'credit_note', 'invoice'],
  ])
  const charged = await newCustomer(api, database)
  const taken = await paid(charged)
  await world.box.chargeBack(taken.id ?? '')
  expect(await open(charged)).toEqual(closed)
  expect(await creditsOf(charged)).toEqual({ plan: 0 })
  expect((await held(charged))[0].status).toBe('ended')
  expect(before.terms).toHaveLength(1)
  expect(await world.violations()).toEqual([])
})

test('a plan that is over ends once, also if its money is refunded afterwards', async () => {
  const customer = await newCustomer(api, database)
  const payment = await paid(customer)
  await pass(customer, 34)
  const ends = async () => {
    const { accountId } = customer
    const rows = await Promise.all([
      database.db.query(`SELECT FROM access.audit WHERE account_id = $1 AND action = 'subscription ended'`, [
        accountId,
      ]),
      database.db.query(`SELECT FROM deliver.mail WHERE account_id = $1 AND type = 'subscription.ending'`, [accountId]),
    ])
    return rows.map(({ length }) => length)
  }
  await keepSubscriptions(trade())
  const [subscription] = await held(customer)
  expect(await ends()).toEqual([1, 1])
  await world.refund(payment.id ?? '')
  await keepSubscriptions(trade())
  expect(await held(customer)).toMatchObject([{ status: 'ended', ends_at: subscription.ends_at }])
  expect(await ends()).toEqual([1, 1])
})

test('a refund of the first of two terms moves the second up, and of the second leaves the first', async () => {
  const customer = await newCustomer(api, database)
  const first = await paid(customer)
  const second = await paid(customer)
  await pass(customer, 10)
  await world.refund(first.id ?? '')
  const [after] = await held(customer)
  expect(
    after.terms.map(({ starts_at, ends_at }: Record<string, string>) => daysBetween(starts_at ?? '', ends_at ?? '')),
  ).toEqual([10, 30])
  expect(after.terms[1].starts_at).toBe(after.terms[0].ends_at)
  expect(await open(customer)).toEqual(opened)
  await world.refund(second.id ?? '')
  expect(await open(customer)).toEqual(closed)
  expect(await world.violations()).toEqual([])
})

test('an operator takes a term of credits back: they return to their lots, once, and its time and credits go', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 300)
  await post(plan, customer, { payment_option: 'credits' })
  const [{ subscription_id: subscriptionId }] = await held(customer)
  const { refundTermByOperator } = await import('../../../src/orders/subscriptions/take-back-term.ts')
  const refund = () =>
    asOperator(() =>
      requests().transaction((tx) =>
        refundTermByOperator(tx, { subscriptionId, reason: 'asked for', actor: overHttp }),
      ),
    )
  expect(await refund()).toMatchObject({ term: 1, credits: 300, used: 0, last_day: null })
  await expect(refund()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await creditsOf(customer)).toEqual({ plan: 0, granted: 300 })
  expect(await open(customer)).toEqual(closed)
  expect(await world.violations()).toEqual([])
})

test('of a term that is taken back as much returns as is left of its time or of its credits, and of one that is over nothing', async () => {
  const { refundTermByOperator } = await import('../../../src/orders/subscriptions/take-back-term.ts')
  const bought = async (lotDays: number | null) => {
    const customer = await newCustomer(api, database)
    const endsAt = lotDays === null ? null : new Date(Date.now() + lotDays * day)
    await requests().transaction((tx) =>
      grantCredits(tx, customer.accountId, 300, `for:${customer.accountId}`, { endsAt }),
    )
    await post(plan, customer, { payment_option: 'credits' })
    const [{ subscription_id: subscriptionId }] = await held(customer)
    const asked = { subscriptionId, reason: 'asked for', actor: overHttp } as const
    return { customer, refund: () => asOperator(() => requests().transaction((tx) => refundTermByOperator(tx, asked))) }
  }
  const late = await bought(5)
  await pass(late.customer, 10)
  const { last_day: lastDay, ...back } = await late.refund()
  expect(back).toMatchObject({ term: 1, credits: 200, used: 100 })
  // They came from a lot that has ended, so they live on, and the answer and the entry say until when.
  expect(daysBetween(indianDayOf(new Date()), lastDay ?? '')).toBe(30)
  const { data } = await get('/api/credits/ledger', late.customer)
  expect(data[0]).toMatchObject({
    kind: 'grant',
    amount: 200,
    memo: `came back after its end: to be spent until ${lastDay}`,
  })
  expect(await creditsOf(late.customer)).toEqual({ plan: 0, granted: 200 })

  const spent = await bought(null)
  const items = [known.cin, known.din, known.gstin].map((number) => ({ number, name: 'as shown' }))
  const types = ['company', 'director', 'gst']
  const order = {
    orderName: 'three',
    paymentOption: 'credits',
    items: items.map((item, at) => ({ type: types[at], ...item })),
  }
  expect((await post('/api/orders/normal', spent.customer, order)).code).toBe(201)
  expect(await creditsOf(spent.customer)).toEqual({ plan: 97, granted: 0 })
  expect(await spent.refund()).toMatchObject({ credits: 291, used: 9 })
  expect(await creditsOf(spent.customer)).toEqual({ plan: 0, granted: 291 })

  const over = await bought(null)
  await pass(over.customer, 31)
  const before = await held(over.customer)
  await expect(over.refund()).rejects.toMatchObject({ code: 'CONFLICT', message: /over/ })
  expect([await held(over.customer), await creditsOf(over.customer)]).toEqual([before, { plan: 0, granted: 0 }])
  expect(await world.violations()).toEqual([])
})

test('a subscription renews itself with credits a day before its end, once, and without credits it lapses after its grace', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 600)
  await post(plan, customer, { payment_option: 'credits', auto_renew: true })
  expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 0 })
  await pass(customer, 29.5)
  const [one, two] = await Promise.all([keepSubscriptions(trade()), keepSubscriptions(database.db)])
  expect((one?.renewed ?? 0) + (two?.renewed ?? 0)).toBe(1)
  expect((await held(customer))[0]).toMatchObject({ status: 'active', auto_renew: true })
  expect(await creditsOf(customer)).toEqual({ granted: 0, plan: 200 })
  await pass(customer, 30.6)
  expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 0, notRenewed: 1 })
  expect((await held(customer))[0].status).toBe('grace')
  await pass(customer, 3)
  expect(await open(customer)).toEqual(closed)
  expect((await held(customer))[0]).toMatchObject({ status: 'ended', auto_renew: false })
  expect(await keepSubscriptions(trade())).toMatchObject({ notRenewed: 0, ended: 1 })
  expect(await keepSubscriptions(trade())).toMatchObject({ ended: 0 })
})

test('a further term leaves automatic renewal as it is unless it names it, however it is bought, and a first one begins without', async () => {
  const customer = await newCustomer(api, database)
  const renews = async () => {
    const [{ terms, auto_renew }] = await held(customer)
    return [terms.length, auto_renew]
  }
  await addCredits(database.db, customer.accountId, 2_400)
  await post(plan, customer, { payment_option: 'credits' })
  expect(await renews()).toEqual([1, false])
  await post(plan, customer, { payment_option: 'credits', auto_renew: true })
  expect(await renews()).toEqual([2, true])
  await post(plan, customer, { payment_option: 'credits' })
  expect(await renews()).toEqual([3, true])
  const renew = `/api/subscriptions/${(await held(customer))[0].subscription_id}/renew`
  await post(renew, customer, { payment_option: 'credits' })
  expect(await renews()).toEqual([4, true])
  // Online it is of no effect, named or not.
  const { purchase } = await post(plan, customer, { payment_option: 'online', auto_renew: false })
  await world.box.pay(purchase.payment.id)
  await paid(customer, renew)
  expect(await renews()).toEqual([6, true])
  const given = { planId: 'premium-month', reference: 'sorry', actor: overHttp } as const
  await asOperator(() => requests().transaction((tx) => giveTerm(tx, customer.accountId, given)))
  expect(await renews()).toEqual([7, true])
  await post(renew, customer, { payment_option: 'credits', auto_renew: false })
  expect(await renews()).toEqual([8, false])
  await post(renew, customer, { payment_option: 'credits' })
  expect(await renews()).toEqual([9, false])
  // Cancelled is not asked to renew itself, bought again or not.
  await post(renew, customer, { payment_option: 'credits', auto_renew: true })
  await post(renew.replace('renew', 'cancel'), customer)
  await post(renew, customer, { payment_option: 'credits' })
  expect((await held(customer))[0]).toMatchObject({ status: 'active', auto_renew: false })
  expect(await world.violations()).toEqual([])
})

test('another plan leaves those that run as they are, and who buys it reads before the payment which go on and renew themselves', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 950)
  const monthly = { payment_option: 'credits', auto_renew: true }
  expect((await post(plan, customer, monthly)).other_subscriptions).toEqual([])
  const [month] = await held(customer)
  const year = await post('/api/plans/premium-year/buy', customer, { payment_option: 'online' })
  expect(year).toMatchObject({ status: 'pending', other_subscriptions: [month] })
  await world.box.pay(year.purchase.payment.id)
  const [{ product, subscription_id: yearId }, still] = await held(customer)
  expect([product, still]).toEqual(['premium-year', month])
  // Each brings what it brings, and the monthly one its next term.
  expect(await creditsOf(customer)).toEqual({ granted: 650, plan: 1_600 })
  await pass(customer, 29.5)
  expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 1 })
  expect(await creditsOf(customer)).toEqual({ granted: 350, plan: 1_700 })
  // A further term of one names the other; what is cancelled goes on to its end, what is over no more.
  await post(`/api/subscriptions/${month.subscription_id}/cancel`, customer)
  const [, cancelled] = await held(customer)
  const further = await post(`/api/subscriptions/${yearId}/renew`, customer, { payment_option: 'online' })
  expect(further.other_subscriptions).toEqual([cancelled])
  await pass(customer, 31)
  const offer = await post('/api/offers/recent-gst-30/buy', customer, { payment_option: 'credits' })
  expect(offer.other_subscriptions.map((each: { product: string }) => each.product)).toEqual(['premium-year'])
  expect(
    (await post(plan, await newCustomer(api, database), { payment_option: 'online' })).other_subscriptions,
  ).toEqual([])
  expect(await world.violations()).toEqual([])
})

test('of a pack that paid for a renewal and is charged back the term stays, and what its credits cost is owed', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = await post('/api/credits/purchase', customer, { pack_id: 'credits-500' })
  const pack = await world.box.pay(payment.id)
  await addCredits(database.db, customer.accountId, 700)
  await post(plan, customer, { payment_option: 'credits', auto_renew: true })
  await pass(customer, 29.5)
  expect(await keepSubscriptions(trade())).toMatchObject({ renewed: 1 })
  // The pack ends first, so it paid: 300 for the first term, 200 for the second.
  expect(await creditsOf(customer)).toEqual({ purchased: 0, granted: 600, plan: 200 })
  const before = await held(customer)
  await world.box.chargeBack(pack?.id ?? '')
  expect((await get('/api/users/me', customer)).owed).toBe(450_000)
  expect(await held(customer)).toEqual(before)
  expect(await creditsOf(customer)).toEqual({ purchased: 0, granted: 600, plan: 200 })
  expect(
    (await get('/api/invoices', customer)).data.map(({ kind, total }: Record<string, unknown>) => [kind, total]),
  ).toEqual([
    ['credit_note', 531_000],
    ['invoice', 531_000],
  ])
  await closeLedgerDay(database.as('panji_worker'))
  expect(await world.violations()).toEqual([])
})

test('whoever has a plan is told once that it ends and why no other term follows, and again after another term', async () => {
  const [short, unasked, cancelled] = [
    await newCustomer(api, database),
    await newCustomer(api, database),
    await newCustomer(api, database),
  ]
  const told = async ({ accountId }: LoggedIn) =>
    database.db.query(
      `SELECT data FROM deliver.mail WHERE account_id = $1 AND type = 'subscription.ending' ORDER BY created_at`,
      [accountId],
    )
  for (const customer of [short, unasked, cancelled]) {
    await addCredits(database.db, customer.accountId, 300)
    await post(plan, customer, { payment_option: 'credits', auto_renew: customer === short })
  }
  await post(`/api/subscriptions/${(await held(cancelled))[0].subscription_id}/cancel`, cancelled)
  for (const customer of [short, unasked, cancelled]) await pass(customer, 28.9)
  await keepSubscriptions(trade())
  expect(await Promise.all([told(short), told(unasked), told(cancelled)])).toEqual([[], [], []])
  for (const customer of [short, unasked, cancelled]) await pass(customer, 0.2)
  await Promise.all([keepSubscriptions(trade()), keepSubscriptions(trade())])
  const saidOf = async (customer: LoggedIn, reason: string) => {
    const [{ subscription_id, name, ends_at, open_until }] = await held(customer)
    const days = { day: indianDayOf(new Date(ends_at)), last_day: indianDayOf(new Date(open_until)) }
    return [{ data: { subscription_id, name, ends_at, open_until, reason, ...days } }]
  }
  expect(await told(short)).toEqual(await saidOf(short, 'credits_short'))
  expect(await told(unasked)).toEqual(await saidOf(unasked, 'not_asked'))
  await pass(unasked, 1.5)
  await keepSubscriptions(trade())
  expect(await told(unasked)).toHaveLength(1)
  expect(await told(cancelled)).toEqual([])
  await database.db.transaction((tx) => grantCredits(tx, unasked.accountId, 300, 'for another term'))
  expect(await post(plan, unasked, { payment_option: 'credits' })).toMatchObject({ code: 201 })
  await keepSubscriptions(trade())
  expect(await told(unasked)).toHaveLength(1)
  await pass(unasked, 29)
  await keepSubscriptions(trade())
  expect(await told(unasked)).toHaveLength(2)
})

test('a priced offer is bought with credits or online, more of it adds days, and a free one is activated instead', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 250)
  const offer = '/api/offers/recent-gst-30/buy'
  expect((await post(offer, customer, { payment_option: 'credits' })).subscription).toMatchObject({ kind: 'offer' })
  await paid(customer, offer)
  const [bought] = await held(customer)
  expect(daysBetween(bought.started_at, bought.open_until)).toBe(60)
  expect(await open(customer)).toEqual({ gst: true, by: 'offer', details: 100 })
  expect((await get('/api/offers/available', customer)).activated_offers).toMatchObject([{ id: 'recent-gst-30' }])
  const free = await post('/api/offers/recent-gst-trial-7/buy', customer, { payment_option: 'credits' })
  expect([free.code, (await post('/api/offers/none/buy', customer, { payment_option: 'credits' })).code]).toEqual([
    400, 404,
  ])
  expect(await world.violations()).toEqual([])
})

test('money for a plan is earned as its time passes, to the last paisa', async () => {
  const customer = await newCustomer(api, database)
  await paid(customer, '/api/offers/recent-gst-30/buy')
  const earned = async () => {
    await closeLedgerDay(database.as('panji_worker'))
    const [row] = await database.db.query<{ paid: number; earned: number }>(
      'SELECT paid, earned FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
      [customer.accountId],
    )
    return (row?.earned ?? 0) / (row?.paid ?? 1)
  }
  expect(await earned()).toBeLessThan(0.01)
  await pass(customer, 15)
  expect(await earned()).toBeCloseTo(0.5, 2)
  await pass(customer, 20)
  expect(await earned()).toBe(1)
  expect(await world.violations()).toEqual([])
})

test('money for a term that ends earlier, or moved up, since money went back is earned in the time that it now has', async () => {
  const [half, moved, one] = [
    await newCustomer(api, database),
    await newCustomer(api, database),
    await newCustomer(api, database),
  ]
  const { id: paidHalf } = await paid(half)
  const [{ id: first }] = [await paid(moved), await paid(moved)]
  await world.refund(paidHalf ?? '', 177_000)
  await world.refund(first ?? '')
  // Of the second, nothing is left, not even time.
  const [, { id: second }] = [await paid(one), await paid(one)]
  await world.refund(second ?? '')
  const earned = async ({ accountId }: LoggedIn) => {
    await closeLedgerDay(database.as('panji_worker'))
    const [row] = await database.db.query<{ paid: number; earned: number }>(
      `SELECT sum(paid)::bigint AS paid, sum(earned)::bigint AS earned
       FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1`,
      [accountId],
    )
    return (row?.earned ?? 0) / (row?.paid ?? 1)
  }
  for (const customer of [half, moved, one]) await pass(customer, 10)
  expect(await earned(half)).toBeCloseTo(2 / 3, 2)
  for (const customer of [moved, one]) expect(await earned(customer)).toBeCloseTo(1 / 3, 2)
  for (const customer of [half, moved, one]) await pass(customer, 21)
  expect([await earned(half), await earned(moved), await earned(one)]).toEqual([1, 1, 1])
  expect(await world.violations()).toEqual([])
})

test('a term that was refunded before it began, and is bought again, is earned once, and delays no other money', async () => {
  const [customer, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  await paid(customer)
  const { id: ahead } = await paid(customer)
  await world.refund(ahead ?? '')
  await paid(customer)
  await paid(other)
  const [{ terms }] = await held(customer)
  expect(daysBetween(terms[0].starts_at, terms[2].ends_at)).toBe(60)
  for (const each of [customer, other]) await pass(each, 45)
  await closeLedgerDay(database.as('panji_worker'))
  const earnedOf = async ({ accountId }: LoggedIn) => {
    const [row] = await database.db.query<{ terms: number }>(
      `SELECT sum(earned)::float8 / 300000 AS terms
       FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1`,
      [accountId],
    )
    return row?.terms
  }
  expect(await earnedOf(customer)).toBeCloseTo(1.5, 2)
  expect(await earnedOf(other)).toBe(1)
  expect(await world.violations()).toEqual([])
})

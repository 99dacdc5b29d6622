/** Nothing that an account stores is without a bound, and each bound is exact, also for many requests at once. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { budgets, orderTerms, pendingPayments, quotas, writtenBytesMin } from '../../config/plans.ts'
import { webhookBounds } from '../../config/webhooks.ts'
import { issueApiKey } from '../../src/access/api-keys.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/access/manage-keys.ts'
import { exampleIds } from '../../src/api/example-records.ts'
import { operations } from '../../src/api/operations/index.ts'
import { consentsMax } from '../../src/deliver/connect/connect-parts.ts'
import { keyScopes } from '../../src/domain/key-scope.ts'
import { shownInstant } from '../../src/domain/shown-instant.ts'
import { openDispute } from '../../src/orders/disputes.ts'
import { grantCredits } from '../../src/orders/ledger.ts'
import { razorpay } from '../../src/orders/payments/razorpay.ts'
import { buildTestServer, type LoggedIn, newCustomer, recordJobs, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, orderBody } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { operationsOf } from '../support/openapi.ts'
import { type FakeProcessor, startProcessor } from '../support/payment-processor.ts'

const database = useTestDatabase()
const api = useApi(database)
const free = quotas.free
let processor: FakeProcessor
let online: Awaited<ReturnType<typeof buildTestServer>>

beforeAll(async () => {
  await fillRegisters(database.db)
  processor = await startProcessor()
  const settings = { leadSource: 'Panji', onlineLabel: 'online', payments: razorpay(processor.settings) }
  online = await buildTestServer(database, recordJobs(), [], { settings })
})
afterAll(async () => {
  await online.close()
  await processor.close()
})

type Reply = Awaited<ReturnType<typeof api.post>>
const statuses = (replies: readonly Reply[]) =>
  Object.fromEntries(
    [...new Set(replies.map(({ statusCode }) => statusCode))].map((status) => [
      status,
      replies.filter(({ statusCode }) => statusCode === status).length,
    ]),
  )
const atOnce = (count: number, call: (n: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)))
const countOf = async (table: string, { accountId }: LoggedIn) =>
  (await database.db.query(`SELECT FROM ${table} WHERE account_id = $1`, [accountId])).length
/** Makes keys of an account; with the prefix of another, in its place. */
const makerOf =
  (accountId: string) =>
  (replaces?: string, overlapHours = 24) =>
    database.db.transaction((tx) =>
      createApiKey(
        tx,
        accountId,
        { actor: 'operator', scopes: keyScopes },
        { replacement: replaces === undefined ? undefined : { replaces, overlapHours } },
      ),
    )
/** Uses up all of a budget but `left`. */
const leave = (customer: LoggedIn, kind: string, limit: number, left: number) =>
  database.db.execute(
    `INSERT INTO access.daily_usage (account_id, kind, day, used) VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date, $3)
     ON CONFLICT (account_id, kind, day) DO UPDATE SET used = $3`,
    [customer.accountId, kind, limit - left],
  )

describe('what is stored is bound, and the refusal names the figure:', () => {
  test('watchlists', async () => {
    const customer = await newCustomer(api, database)
    await database.db.execute(
      `INSERT INTO access.watchlist (account_id, name, type) SELECT $1, 'L' || n, 'gst' FROM generate_series(1, $2::integer) n`,
      [customer.accountId, free.watchlists - 2],
    )
    const replies = await atOnce(8, (n) =>
      api.post('/api/watchlist', customer.token, { name: `More ${n}`, watchlist_type: 'gst' }),
    )
    expect(statuses(replies)).toEqual({ 201: 2, 409: 6 })
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      quota: 'watchlists',
      limit: free.watchlists,
      used: free.watchlists,
      detail: expect.stringContaining(String(free.watchlists)),
    })
    expect(await countOf('access.watchlist', customer)).toBe(free.watchlists)
  })

  test('entities of all watchlists together', async () => {
    const customer = await newCustomer(api, database)
    const make = async () =>
      (await api.post('/api/watchlist', customer.token, { name: 'L', watchlist_type: 'director' })).json().data.id
    const lists = [await make(), await make(), await make()]
    await database.db.execute(
      `INSERT INTO access.watchlist_entity (watchlist_id, identifier, name)
       SELECT $1, lpad(n::text, 8, '0'), 'D' FROM generate_series(1, $2::integer) n`,
      [lists[0], free.watchedEntities - 100],
    )
    const entities = (from: number) =>
      Array.from({ length: 60 }, (_, n) => ({ identifier: String(50_000_000 + from + n), name: 'D' }))
    const add = (id: string, from: number) =>
      api.post(`/api/watchlist/${id}/entities`, customer.token, { entities: entities(from) })
    const replies = await Promise.all([add(lists[1], 0), add(lists[2], 100), add(lists[1], 200)])
    expect(statuses(replies)).toEqual({ 200: 1, 409: 2 })
    const made = { name: 'L', watchlist_type: 'director', entities: entities(400) }
    const refused = await api.post('/api/watchlist', customer.token, made)
    expect(refused.json()).toMatchObject({ error_code: 'QUOTA_EXCEEDED', quota: 'watchedEntities' })
    expect(await countOf('access.watchlist', customer)).toBe(3)
  })

  test('saved screeners, their number and their bytes, also when one is changed', async () => {
    const customer = await newCustomer(api, database)
    const save = (description: string | null) =>
      api.post('/api/screener/screeners', customer.token, {
        name: 'S',
        type: 'gst',
        query: "state == 'Goa'",
        description,
      })
    const first = (await save(null)).json().data.id
    await database.db.execute(
      `INSERT INTO access.screener (account_id, name, type, query, description)
       SELECT $1, 'S', 'gst', 'q', repeat('x', $2::integer)`,
      [customer.accountId, free.savedScreenerBytes - 1_000],
    )
    expect((await save('y'.repeat(2_000))).json()).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      quota: 'savedScreenerBytes',
      limit: free.savedScreenerBytes,
    })
    const put = await api.app.inject({
      method: 'PUT',
      url: `/api/screener/screeners/${first}`,
      headers: { authorization: `Bearer ${customer.token}` },
      payload: { description: 'y'.repeat(2_000) },
    })
    expect([put.statusCode, put.json().quota]).toEqual([409, 'savedScreenerBytes'])

    const other = await newCustomer(api, database)
    const draft = { name: 'S', type: 'gst', query: "state == 'Goa'" }
    const replies = await atOnce(free.savedScreeners + 5, () => api.post('/api/screener/screeners', other.token, draft))
    expect(statuses(replies)).toEqual({ 201: free.savedScreeners, 409: 5 })
  })

  test('orders that wait for their payment, and their items; the processor is not asked for more', async () => {
    const customer = await newCustomer(api, database)
    const order = () =>
      online.inject({
        method: 'POST',
        url: '/api/orders/normal',
        headers: { authorization: `Bearer ${customer.token}` },
        payload: { ...orderBody, paymentOption: 'online' },
      })
    const replies = await atOnce(free.pendingOrders + 5, order)
    expect(statuses(replies)).toEqual({ 201: free.pendingOrders, 409: 5 })
    const asked = processor.asked.length
    expect((await order()).json()).toMatchObject({ error_code: 'QUOTA_EXCEEDED', quota: 'pendingOrders' })
    expect(processor.asked).toHaveLength(asked)
    await database.db.execute(
      `UPDATE orders.purchase SET status = 'cancelled', payment_status = 'cancelled' WHERE account_id = $1`,
      [customer.accountId],
    )
    await database.db.execute(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'Large', 'online', 'pending', 'pending', $2::bigint, $2::integer)`,
      [customer.accountId, free.pendingItems - 2],
    )
    expect((await order()).json()).toMatchObject({ quota: 'pendingItems', limit: free.pendingItems })
  })

  test('purchases that wait for their payment', async () => {
    const customer = await newCustomer(api, database)
    const { purchasesMax } = pendingPayments
    const buy = () =>
      online.inject({
        method: 'POST',
        url: '/api/credits/purchase',
        headers: { authorization: `Bearer ${customer.token}` },
        payload: { pack_id: 'credits-100' },
      })
    const replies = await atOnce(purchasesMax + 5, buy)
    expect(statuses(replies)).toEqual({ 201: purchasesMax, 409: 5 })
    const refusal = { error_code: 'QUOTA_EXCEEDED', quota: 'pendingPurchases', limit: purchasesMax, used: purchasesMax }
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject(refusal)
  })

  test('webhooks, and the tests of all of them within an hour', async () => {
    const customer = await newCustomer(api, database)
    const { perAccountMax, testsPerHour } = webhookBounds
    const hooks = await atOnce(perAccountMax + 5, () =>
      api.post('/api/crm/webhooks', customer.token, { url: 'https://hooks.example.com/panji' }),
    )
    expect(statuses(hooks)).toEqual({ 201: perAccountMax, 409: 5 })
    await database.db.execute(
      `INSERT INTO deliver.event (account_id, type, data, is_test) SELECT $1, 'order.paid', '{}', true FROM generate_series(1, $2::integer)`,
      [customer.accountId, testsPerHour - 2],
    )
    const ids = hooks.filter(({ statusCode }) => statusCode === 201).map((reply) => reply.json().webhook_id)
    const tests = await atOnce(8, (n) => api.post(`/api/crm/webhooks/${ids[n]}/test`, customer.token, {}))
    expect(statuses(tests)).toEqual({ 200: 2, 409: 6 })
  })

  test('reports that wait for their decision', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 10)
    const items = [
      { type: 'company', name: 'Konkan Petro', number: known.cin },
      { type: 'director', name: 'Director', number: known.din },
      { type: 'gst', name: 'Reliance', number: known.gstin },
    ]
    const order = await api.post('/api/orders/normal', customer.token, { ...orderBody, items })
    const { openMax } = orderTerms.disputes
    await database.db.transaction(async (tx) => {
      for (let n = 2; n <= openMax; n++) await grantCredits(tx, customer.accountId, 1, `report ${n}`)
    })
    // Of one item and so many charges: what is counted is the reports.
    await database.db.execute(
      `INSERT INTO orders.dispute (item_id, charge_id, reason)
       SELECT (SELECT item_id FROM orders.item WHERE order_id = $1 AND position = 2), transfer_id, 'old'
       FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id WHERE owner_id = $2 AND transfer.kind = 'grant' ORDER BY transfer_id DESC LIMIT $3`,
      [order.json()._id, customer.accountId, openMax - 1],
    )
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    const report = (index: number) => ({ orderId: order.json()._id, index, reason: 'bounced' })
    const other = await database.db.transaction(async (tx) => {
      await openDispute(tx, customer.accountId, report(0))
      // Begun before this one is counted.
      const late = api.post(`/api/orders/${order.json()._id}/items/1/dispute`, customer.token, { reason: 'bounced' })
      await vi.waitUntil(async () => (await database.db.query(waits)).length > 0, { timeout: 60_000, interval: 20 })
      return { late }
    })
    expect((await other.late).json()).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      quota: 'openDisputes',
      used: openMax,
    })
  })

  test('standing orders, and those of them that are switched on', async () => {
    const customer = await newCustomer(api, database)
    const has = (count: number, state: string) =>
      database.db.execute(
        `INSERT INTO orders.standing_order (account_id, name, state, state_by, buys)
         SELECT $1::uuid, 'Made before', $3, 'account:' || $1::text, false FROM generate_series(1, $2::integer)`,
        [customer.accountId, count, state],
      )
    const make = (state: string) =>
      api.post('/api/standing-orders', customer.token, {
        name: 'New in Goa',
        type: 'company',
        query: "State == 'Goa'",
        buys: false,
        state,
      })
    await has(free.standingOrders - 2, 'active')
    expect(statuses(await atOnce(5, () => make('active')))).toEqual({ 201: 2, 409: 3 })
    await has(free.standingDrafts - free.standingOrders - 2, 'draft')
    const replies = await atOnce(5, () => make('draft'))
    expect(statuses(replies)).toEqual({ 201: 2, 409: 3 })
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      quota: 'standingDrafts',
      limit: free.standingDrafts,
    })
  })

  test('API keys', async () => {
    const { accountId } = await newCustomer(api, database)
    const issued = await Promise.allSettled(
      Array.from({ length: free.apiKeys + 3 }, () => database.db.transaction((tx) => issueApiKey(tx, accountId))),
    )
    // The account has one already.
    expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(free.apiKeys - 1)
    const refused = issued.find((each) => each.status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'QUOTA_EXCEEDED', extra: { quota: 'apiKeys' } } })
  })

  test('API keys, each of which can still be replaced, once', async () => {
    const { accountId } = await newCustomer(api, database)
    const make = makerOf(accountId)
    const made = []
    while (made.length < free.apiKeys - 1) made.push(await make())
    const full = { code: 'QUOTA_EXCEEDED', extra: { quota: 'apiKeys', limit: free.apiKeys, used: free.apiKeys } }
    await expect(make()).rejects.toMatchObject(full)
    const [first, second] = made.map(({ displayPrefix }) => displayPrefix)
    const next = await make(first)
    await make(second)
    await make(next.displayPrefix)
    // Both work meanwhile, and one that was replaced makes room for no second one.
    const live = (await listApiKeys(database.db, accountId)).filter(({ revokedAt }) => revokedAt === null)
    expect(live).toHaveLength(free.apiKeys + 3)
    await expect(make(first)).rejects.toMatchObject(full)
    await expect(make()).rejects.toMatchObject(full)
    expect(await listApiKeys(database.db, accountId)).toEqual(live)
    await database.db.transaction((tx) => revokeApiKey(tx, accountId, first ?? ''))
    await expect(make()).rejects.toMatchObject(full)
  })

  test('replaced API keys that still work, so that no chain of replacements passes the quota', async () => {
    const { accountId } = await newCustomer(api, database)
    const make = makerOf(accountId)
    let newest = (await make()).displayPrefix
    for (let n = 0; n < free.replacedKeys; n += 1) newest = (await make(newest)).displayPrefix
    const before = await listApiKeys(database.db, accountId)
    const full = { code: 'QUOTA_EXCEEDED', extra: { quota: 'replacedKeys', limit: free.replacedKeys } }
    await expect(make(newest)).rejects.toMatchObject(full)
    expect(await listApiKeys(database.db, accountId)).toEqual(before)
    const next = await make(newest, 0)
    await expect(make(next.displayPrefix)).rejects.toMatchObject(full)
    const [oldest] = before.filter(({ expiresAt }) => expiresAt !== null).toReversed()
    await database.db.transaction((tx) => revokeApiKey(tx, accountId, oldest?.prefix ?? ''))
    await make(next.displayPrefix)
  })

  test('sessions, of which the oldest end', async () => {
    const customer = await newCustomer(api, database)
    const logIn = () => api.post('/api/auth/login', undefined, { api_key: customer.apiKey })
    // So many at a time that they meet, and so few that none waits for a connection past its bound on a busy machine.
    const logins = []
    while (logins.length < free.sessions + 10) logins.push(...(await atOnce(30, logIn)))
    expect(statuses(logins)).toEqual({ 200: free.sessions + 10 })
    expect(await countOf('access.session', customer)).toBe(free.sessions)
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(401)
    const newest = (await logIn()).json().token.access_token
    expect((await api.get('/api/users/me', newest)).statusCode).toBe(200)
  })
})

describe('what is written in a day is bound:', () => {
  test('bytes of requests that store something, exactly, and with a least size each', async () => {
    const customer = await newCustomer(api, database)
    await leave(customer, 'written_bytes', budgets.free.writtenBytes ?? 0, 4 * writtenBytesMin + 500)
    const replies = await atOnce(10, (n) =>
      api.post('/api/watchlist', customer.token, { name: `L${n}`, watchlist_type: 'gst' }),
    )
    expect(statuses(replies)).toEqual({ 201: 4, 429: 6 })
    const refused = replies.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toMatchObject({
      error_code: 'RATE_LIMITED',
      budget: 'written_bytes',
      limit: budgets.free.writtenBytes,
    })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    const { detail, reset } = refused?.json<{ detail: string; reset: string }>() ?? { detail: '', reset: '' }
    expect(detail).toContain(`it starts anew at ${shownInstant(new Date(reset))}`)
    // What stores nothing is free of it.
    const search = { type: 'company', query: "State == 'Goa'" }
    expect((await api.post('/api/screener/search', customer.token, search)).statusCode).toBe(200)
  })

  test('a large body counts as it is', async () => {
    const customer = await newCustomer(api, database)
    await leave(customer, 'written_bytes', budgets.free.writtenBytes ?? 0, 30_000)
    const entities = Array.from({ length: 500 }, (_, n) => ({
      identifier: String(10_000_000 + n),
      name: 'x'.repeat(200),
    }))
    const body = { name: 'L', watchlist_type: 'director', entities }
    expect((await api.post('/api/watchlist', customer.token, body)).statusCode).toBe(429)
    expect(await countOf('access.watchlist', customer)).toBe(0)
  })

  test('every operation of an account that changes something counts, deleting aside, and none that reads', async () => {
    const customer = await newCustomer(api, database)
    await leave(customer, 'written_bytes', budgets.free.writtenBytes ?? 0, writtenBytesMin - 1)
    const changing = (await operationsOf(api)).filter(
      ({ guard, method, operationId }) =>
        guard === 'account' && method !== 'GET' && method !== 'DELETE' && operationId !== 'logOut',
    )
    expect(changing.length).toBeGreaterThan(40)
    const free: string[] = []
    for (const { operationId, method, path, requestBody } of changing) {
      const { example } = requestBody?.content['application/json'] ?? {}
      const reply = await api.app.inject({
        method,
        url: path.replace('{n}', '1').replaceAll(/\{[^}]+\}/g, exampleIds.watchlist),
        headers: { authorization: `Bearer ${customer.token}` },
        ...(example ? { payload: example } : {}),
      })
      if (reply.json<{ budget?: string }>().budget !== 'written_bytes') free.push(operationId)
    }
    expect(free.filter((each) => operations.find(({ id }) => id === each)?.audit === 'act')).toEqual([
      'cancelSubscription',
      'cancelOrder',
    ])
    expect((await api.post('/api/auth/logout', customer.token)).statusCode).toBe(200)
    expect(free).toEqual(expect.arrayContaining(['searchScreener', 'listRecentGstRegistrations', 'explainQuery']))
  })

  test('sign-ins at CRMs that were begun and not finished: the newest stay', async () => {
    const customer = await newCustomer(api, database)
    const body = { type: 'salesforce', name: 'org' }
    const begin = () => api.post('/api/crm/destinations/connect', customer.token, body)
    const replies = [...(await atOnce(consentsMax + 3, begin)), await begin()]
    expect(statuses(replies)).toEqual({ 201: consentsMax + 4 })
    expect(await countOf('deliver.consent', customer)).toBe(consentsMax)
    const state = new URL(replies.at(-1)?.json().authorize_url).searchParams.get('state') ?? ''
    const kept = await database.db.query('SELECT FROM deliver.consent WHERE account_id = $1 AND state_sha256 = $2', [
      customer.accountId,
      createHash('sha256').update(state).digest(),
    ])
    expect(kept).toHaveLength(1)
  })

  test('orders and their items', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 1_000)
    const order = () => api.post('/api/orders/normal', customer.token, orderBody)
    await leave(customer, 'orders', budgets.free.orders ?? 0, 3)
    expect(statuses(await atOnce(6, order))).toEqual({ 201: 3, 429: 3 })
    await leave(customer, 'orders', budgets.free.orders ?? 0, 100)
    await leave(customer, 'ordered_items', budgets.free.orderedItems ?? 0, 7)
    expect(statuses(await atOnce(6, order))).toEqual({ 201: 2, 429: 4 })
    expect(await countOf('orders.purchase', customer)).toBe(5)
  })

  test('answers kept under an Idempotency-Key; one that was kept is still given', async () => {
    const customer = await newCustomer(api, database)
    await leave(customer, 'kept_answers', budgets.free.keptAnswers ?? 0, 2)
    const make = (key: string) =>
      api.post('/api/watchlist', customer.token, { name: 'L', watchlist_type: 'gst' }, { 'idempotency-key': key })
    const keys = Array.from({ length: 5 }, () => randomUUID())
    const replies = await Promise.all(keys.map(make))
    expect(statuses(replies)).toEqual({ 201: 2, 429: 3 })
    const kept = keys[replies.findIndex(({ statusCode }) => statusCode === 201)] ?? ''
    expect((await make(kept)).headers['idempotency-replayed']).toBe('true')
    expect(await countOf('access.watchlist', customer)).toBe(2)
    expect(await countOf('access.idempotency', customer)).toBe(2)
  })
})

test('an answer that is kept under an Idempotency-Key lies sealed, and opens for its account and key alone', async () => {
  const customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 10)
  const newLead = (key: string) =>
    api.post(
      '/api/crm/newlead',
      customer.token,
      { entity_type: 'gst', identifier: known.gstin },
      { 'idempotency-key': key },
    )
  const [first, second] = [await newLead('one'), await newLead('two')]
  expect(first.body).toContain('+919812345678')
  const rows = await database.db.query<{ key: string; sealed: Buffer }>(
    'SELECT key, sealed FROM access.idempotency WHERE account_id = $1 ORDER BY key',
    [customer.accountId],
  )
  for (const { sealed } of rows) {
    expect(sealed.length).toBeGreaterThan(100)
    expect(sealed.toString('latin1')).not.toMatch(/9812345678|reach@example|KONKAN/)
  }
  expect((await newLead('one')).body).toBe(first.body)
  expect((await newLead('two')).body).toBe(second.body)
  // Bytes moved to another row do not open, and the request does not run a second time.
  await database.db.execute(`UPDATE access.idempotency SET sealed = $2 WHERE account_id = $1 AND key = 'two'`, [
    customer.accountId,
    rows[0]?.sealed,
  ])
  const moved = await newLead('two')
  expect([moved.statusCode, moved.json().error_code]).toEqual([409, 'CONFLICT'])
  expect(await countOf('orders.purchase', customer)).toBe(2)
})

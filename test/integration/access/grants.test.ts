/** The whole life of a grant: given, overlapping with others, ending and revoked, while pages of the feed are read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { grantEntitlement, listGrants, revokeGrant } from '../../../src/access/grants.ts'
import {
  buildTestServer,
  type LoggedIn,
  newCustomer,
  operatorToken,
  recordJobs,
  type TestApi,
  useApi,
} from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()
const api = useApi(database)
const feed = '/api/recently-registered/gst'
/** Another process that serves the same database. */
let other: TestApi['app']

beforeAll(async () => {
  other = await buildTestServer(database, recordJobs())
  const states = ['Goa', 'Kerala', 'Punjab']
  const days = Array.from({ length: 20 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
  await addRegistrations(
    database.db,
    'gst',
    states.flatMap((state) => days.map((registeredOn) => ({ state, district: null, pincode: null, registeredOn }))),
  )
})
afterAll(() => other.close())

const give = (customer: LoggedIn, grant: object = {}) =>
  database.db.transaction((tx) =>
    grantEntitlement(tx, { accountId: customer.accountId, dataset: 'gst', grantedBy: 'subscription', ...grant }),
  )
const pageOf = (customer: LoggedIn, body: object = { limit: 100 }) => api.post(feed, customer.token, body)
const entryOf = async (customer: LoggedIn) =>
  (await api.get('/api/access', customer.token)).json().datasets.recently_registered.gst

describe('two grants', () => {
  test('of different states with different first days both count, each with its own window', async () => {
    const customer = await newCustomer(api, database)
    await give(customer, { states: ['Goa'], from: '2026-03-05', anchored: true, planName: 'Goa' })
    await give(customer, { states: ['Kerala'], from: '2026-03-11', anchored: true, planName: 'Kerala' })
    const entry = await entryOf(customer)
    expect(entry.grants).toMatchObject([
      { plan: 'Goa', territory: { states: ['Goa'] }, date_window: { from: '2026-03-05' } },
      { plan: 'Kerala', territory: { states: ['Kerala'] }, date_window: { from: '2026-03-11' } },
    ])
    expect(entry).toMatchObject({
      territory: { restricted: true, states: ['Goa', 'Kerala'] },
      date_window: { from: '2026-03-05', to: null, anchored_to_subscription: true },
    })
    expect((await pageOf(customer)).json().total).toBe(16 + 10)
    const kerala = (await pageOf(customer, { state: 'Kerala' })).json()
    expect([kerala.total, kerala.access.date_window.from]).toEqual([10, '2026-03-11'])
    expect((await pageOf(customer, { state: 'Punjab' })).json().error_code).toBe('TERRITORY_NOT_ENTITLED')
  })

  test('of which an offer is one widen a narrow subscription, and what both hold comes once', async () => {
    const customer = await newCustomer(api, database)
    await give(customer, { states: ['Goa'], from: '2026-03-10' })
    expect((await pageOf(customer)).json().total).toBe(11)
    await give(customer, { grantedBy: 'offer', from: '2026-03-15', to: '2026-03-31' })
    expect((await pageOf(customer)).json()).toMatchObject({ total: 11 + 12, access: { granted_by: 'subscription' } })
  })
})

describe('the end of a grant', () => {
  test.each([
    ['a minute ago', -60],
    ['in a minute', 60],
  ])('is an instant of the database, %s, and is told once it is over', async (_when, seconds) => {
    const customer = await newCustomer(api, database)
    const { entitlementId } = await give(customer, { states: ['Goa'], planName: 'Yearly' })
    // The end is moved instead of waiting for it.
    await database.db.execute(
      `UPDATE access.entitlement SET starts_at = now() - interval '1 year', expires_at = now() + make_interval(secs => $2)
       WHERE entitlement_id = $1`,
      [entitlementId, seconds],
    )
    const inForce = seconds > 0
    expect((await pageOf(customer)).statusCode).toBe(inForce ? 200 : 403)
    expect(await entryOf(customer)).toMatchObject({
      enabled: inForce,
      grants: inForce ? [{ plan: 'Yearly' }] : [],
      ended_grants: inForce ? [] : [{ plan: 'Yearly', why: 'expired' }],
    })
  })

  test('at midnight of India and at midnight of UTC are different ends, five and a half hours apart', async () => {
    const customer = await newCustomer(api, database)
    const ends = ['2090-03-31T24:00:00Z', '2090-04-01T00:00:00+05:30']
    for (const end of ends) await give(customer, { expiresAt: new Date(end) })
    const [india, utc] = (await entryOf(customer)).grants
      .map(({ expires_at }: { expires_at: string }) => expires_at)
      .sort()
    expect([india, utc]).toEqual(['2090-03-31T18:30:00.000Z', '2090-04-01T00:00:00.000Z'])
  })

  test('leaves the other grants as they are', async () => {
    const customer = await newCustomer(api, database)
    const { entitlementId } = await give(customer, {})
    await give(customer, { states: ['Goa'], from: '2026-03-20' })
    expect((await pageOf(customer)).json().total).toBe(60)
    await revokeGrant(database.db, customer.accountId, entitlementId)
    expect((await pageOf(customer)).json()).toMatchObject({ total: 1, access: { territory: { states: ['Goa'] } } })
  })

  test('acts at once in every process, between two pages of one reading, and the refusal names it', async () => {
    const customer = await newCustomer(api, database)
    const { entitlementId } = await give(customer, { planName: 'Monthly' })
    expect((await pageOf(customer, { page: 1, limit: 20 })).json().data).toHaveLength(20)
    const revoked = await api.app.inject({
      method: 'DELETE',
      url: `/admin/users/${customer.accountId}/grants/${entitlementId}`,
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    expect([revoked.statusCode, revoked.json()]).toMatchObject([200, { state: 'revoked', plan: 'Monthly' }])
    for (const app of [api.app, other]) {
      const headers = { authorization: `Bearer ${customer.token}` }
      const next = await app.inject({ method: 'POST', url: feed, headers, payload: { page: 2, limit: 20 } })
      expect(next.statusCode).toBe(403)
      expect(next.json()).toMatchObject({
        error_code: 'NO_DATASET_ACCESS',
        reason: 'no_active_plan_grants_this_dataset',
        message: expect.stringContaining('"Monthly" was revoked at '),
      })
    }
    expect((await entryOf(customer)).ended_grants).toMatchObject([{ plan: 'Monthly', why: 'revoked' }])
  })

  test('while pages are read by many: each page is of before it or refused, and none comes after it', async () => {
    const customer = await newCustomer(api, database)
    const { entitlementId } = await give(customer)
    let isRevoked = false
    const readings = Array.from({ length: 6 }, async (_, reader) => {
      for (let page = 1; page <= 6; page++) {
        const began = isRevoked
        const reply = await pageOf(customer, { page, limit: 10 })
        if (reply.statusCode === 200) expect([reader, began, reply.json().total]).toEqual([reader, false, 60])
        else expect([429, 403]).toContain(reply.statusCode)
      }
    })
    await database.db.transaction((tx) => revokeGrant(tx, customer.accountId, entitlementId))
    isRevoked = true
    await Promise.all(readings)
    expect((await pageOf(customer)).statusCode).toBe(403)
  })

  test('comes once: revoking twice, or what has expired, changes nothing, and another account cannot', async () => {
    const customer = await newCustomer(api, database)
    const stranger = await newCustomer(api, database)
    const { entitlementId } = await give(customer)
    await expect(revokeGrant(database.db, stranger.accountId, entitlementId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const [first, second] = await Promise.all(
      [1, 2].map(() => database.db.transaction((tx) => revokeGrant(tx, customer.accountId, entitlementId))),
    )
    expect(first).toMatchObject({ state: 'revoked', revokedAt: second?.revokedAt })
    const acts = await database.db.query(`SELECT FROM access.audit WHERE action = 'revoke grant' AND subject = $1`, [
      customer.accountId,
    ])
    expect(acts).toHaveLength(1)
  })

  test('is no matter for an account that was erased: it has no grants, and none can be given', async () => {
    const customer = await newCustomer(api, database)
    await give(customer)
    await database.db.transaction((tx) => eraseAccount(tx, customer.accountId))
    await expect(give(customer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(listGrants(database.db, customer.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await pageOf(customer)).statusCode).toBe(401)
  })
})

describe('operators', () => {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    api.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${operatorToken}` },
      ...(payload ? { payload } : {}),
    })

  test('give, list and end grants over HTTP, and each act is in the audit log', async () => {
    const { accountId } = await newCustomer(api, database)
    const path = `/admin/users/${accountId}/grants`
    const made = await call('POST', path, {
      dataset: 'gst',
      plan: 'Goa, a month',
      states: ['goa'],
      from_date: '2026-03-01',
      expires_at: '2090-03-31T00:00:00+05:30',
    })
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      {
        plan: 'Goa, a month',
        state: 'active',
        territory: { restricted: true, states: ['Goa'] },
        expires_at: '2090-03-30T18:30:00.000Z',
      },
    ])
    const { grant_id } = made.json()
    expect((await call('GET', path)).json().data).toMatchObject([{ grant_id, state: 'active' }])
    expect((await call('DELETE', `${path}/${grant_id}`)).json().state).toBe('revoked')
    expect((await call('GET', path)).json().data).toMatchObject([{ grant_id, state: 'revoked' }])
    const acts = await database.db.query(`SELECT action FROM access.audit WHERE subject = $1 ORDER BY audit_id`, [
      accountId,
    ])
    expect(acts.map(({ action }: { action?: string }) => action)).toEqual(
      expect.arrayContaining(['grant entitlement', 'revoke grant']),
    )
    const ofDay = await call('POST', path, { dataset: 'gst', expires_at: '2090-03-30' })
    expect(ofDay.json()).toMatchObject({ state: 'active', expires_at: '2090-03-30T18:30:00.000Z' })
    for (const [body, status] of [
      [{ dataset: 'gst', states: [] }, 400],
      [{ dataset: 'gst', states: ['Atlantis'] }, 422],
      [{ dataset: 'gst', expires_at: '2020-01-01T00:00:00Z' }, 422],
      [{ dataset: 'gst', from_date: '2026-02-01', to_date: '2026-01-01' }, 422],
    ] as const) {
      expect([body, (await call('POST', path, body)).statusCode]).toEqual([body, status])
    }
  })

  test('change a plan, which counts from the next call on, and find an account by the prefix of its key', async () => {
    const { accountId, token, apiKey } = await newCustomer(api, database)
    expect((await call('PUT', `/admin/users/${accountId}/plan`, { plan: 'premium' })).json().plan).toBe('premium')
    expect((await api.get('/api/access', token)).json().rate_limits.detail_endpoints.daily_limit).toBe(1000)
    expect((await call('PUT', `/admin/users/${accountId}/plan`, { is_enterprise: true })).json()).toMatchObject({
      plan: 'premium',
      is_enterprise: true,
    })
    expect((await entryOf({ token } as LoggedIn)).granted_by).toBe('enterprise')
    expect((await call('GET', `/admin/users/${accountId}`)).json().is_enterprise).toBe(true)
    const [key] = await database.db.query<{ prefix: string }>(
      'SELECT display_prefix AS prefix FROM access.api_key WHERE account_id = $1',
      [accountId],
    )
    expect(apiKey.startsWith(key?.prefix ?? '?')).toBe(true)
    const found = (await call('GET', `/admin/users?search=${key?.prefix}`)).json()
    expect(found.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([accountId])
  })
})

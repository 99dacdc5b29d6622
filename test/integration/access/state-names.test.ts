/** A state may be written in any spelling of src/domain/states.ts: grants, feeds, filters and counts then mean the same one. */
import { beforeAll, expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()
const api = useApi(database)
const feed = '/api/recently-registered/gst'

beforeAll(async () => {
  const rows = [
    ['Goa', 'North Goa'],
    ['Goa', 'South Goa'],
    ['Odisha', 'Cuttack'],
    ['Tamil Nadu', 'Chennai'],
    ['Tamil Nadu', null],
    ['Kerala', 'Ernakulam'],
    [null, null],
  ] as const
  await addRegistrations(
    database.db,
    'gst',
    rows.flatMap(([state, district]) =>
      ['2026-10-01', '2026-10-20', '2026-11-02'].map((registeredOn) => ({
        state,
        district,
        pincode: null,
        registeredOn,
      })),
    ),
  )
})

async function granted(scope: object) {
  const customer = await newCustomer(api, database)
  const { accountId } = customer
  const { entitlementId } = await database.db.transaction((tx) =>
    grantEntitlement(tx, { accountId, dataset: 'gst', grantedBy: 'subscription', ...scope }),
  )
  return { ...customer, entitlementId }
}

test('a grant is kept and stated in the one spelling, each state once', async () => {
  const customer = await granted({ states: ['goa', 'Orissa', ' TAMIL  NADU', 'Odisha'] })
  const statement = await api.get('/api/access', customer.token)
  expect(statement.json().datasets.recently_registered.gst.territory.states).toEqual(['Goa', 'Odisha', 'Tamil Nadu'])
})

test.each([
  ['states in other spellings', { states: ['goa', 'Orissa', 'TAMIL NADU'] }],
  ['districts in another case', { districts: ['north goa', 'CHENNAI', 'Cuttack'] }],
  ['states and districts', { states: ['Tamilnadu', 'GOA'], districts: ['chennai', 'South  Goa'] }],
  ['a window', { states: ['ORISSA'], from: '2026-10-02', to: '2026-11-01' }],
  ['no bounds', {}],
])('the summary of a feed equals what the feed serves: %s', async (_, scope) => {
  const customer = await granted(scope)
  const summary = await api.get(`${feed}/summary?from_date=2026-09-01&to_date=2026-11-30`, customer.token)
  const counts: { state: string | null; day: string; total: number }[] = summary.json().by_day
  const page = await api.post(feed, customer.token, { limit: 100 })
  const served = new Map<string, number>()
  for (const { state, DateOfRegistration } of page.json().data) {
    const key = `${state ?? ''} ${DateOfRegistration.slice(0, 10)}`
    served.set(key, (served.get(key) ?? 0) + 1)
  }
  expect(page.json().total).toBeGreaterThan(0)
  expect(summary.json().total).toBe(page.json().total)
  expect(new Map(counts.map(({ state, day, total }) => [`${state ?? ''} ${day}`, total]))).toEqual(served)
})

test('a feed takes any spelling of a state within the territory', async () => {
  const customer = await granted({ states: ['Odisha', 'Tamil Nadu'] })
  for (const state of ['orissa', 'ODISHA', ' Odisha ']) {
    const reply = await api.post(feed, customer.token, { state })
    expect([reply.statusCode, reply.json().total]).toEqual([200, 3])
  }
  expect((await api.post(feed, customer.token, { state: 'goa' })).statusCode).toBe(403)
})

test('a filter takes any spelling of a state', async () => {
  const { token } = await newCustomer(api, database, { plan: 'premium' })
  for (const State of ['Orissa', 'odisha', 'ODISHA']) {
    const reply = await api.get(`/api/gst/gst-filter?${new URLSearchParams({ State })}`, token)
    expect(reply.json()).toHaveLength(3)
  }
})

test('an unknown name of a state is a 422 that suggests the name', async () => {
  const customer = await granted({})
  const replies = [
    await api.post(feed, customer.token, { state: 'Keralla' }),
    await api.get('/api/gst/gst-filter?State=Keralla', customer.token),
    await api.get('/api/company/company-filter?state=Keralla', customer.token),
    await api.get('/api/company/director-filter?state=Keralla', customer.token),
  ]
  for (const reply of replies) {
    expect([reply.statusCode, reply.json()]).toMatchObject([
      422,
      { error_code: 'UNPROCESSABLE', suggestion: 'Kerala', parameter: expect.stringMatching(/^state$/i) },
    ])
  }
  await expect(granted({ states: ['Keralla'] })).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    extra: { suggestion: 'Kerala' },
  })
})

test('a code or a former name of a state is taken alike by grants, feeds, filters and the screener', async () => {
  const customer = await granted({ states: ['TN', '21', 'Keralam'] })
  const statement = await api.get('/api/access', customer.token)
  expect(statement.json().datasets.recently_registered.gst.territory.states).toEqual(['Tamil Nadu', 'Odisha', 'Kerala'])
  for (const state of ['OD', 'or', '21', 'Orissa']) {
    expect((await api.post(feed, customer.token, { state })).json().total).toBe(3)
    const filtered = await api.get(`/api/gst/gst-filter?${new URLSearchParams({ State: state })}`, customer.token)
    expect(filtered.json()).toHaveLength(3)
    const query = `state == '${state}'`
    expect((await api.post('/api/screener/search', customer.token, { type: 'gst', query })).json().total).toBe(3)
  }
  const city = await api.post(feed, customer.token, { state: 'Madras' })
  expect([city.statusCode, city.json()]).toMatchObject([
    422,
    { suggestion: 'Tamil Nadu', detail: expect.stringMatching(/city/) },
  ])
})

test('a district or status that no record holds is a 422 that names the nearest, not an empty page', async () => {
  const customer = await granted({})
  const asked = [
    [{ district: 'Cutack' }, 'district', 'Cuttack'],
    [{ district: 'Chenai, Cutack' }, 'district', 'Chennai'],
    [{ status: 'Canceledd' }, 'status', 'Cancelled'],
    [{ status: 'Nonsense' }, 'status', null],
  ] as const
  for (const [body, parameter, suggestion] of asked) {
    const reply = await api.post(feed, customer.token, body)
    expect([body, reply.statusCode, reply.json()]).toMatchObject([body, 422, { parameter, suggestion }])
  }
  expect((await api.post(feed, customer.token, { district: 'cuttack, Nowhere' })).json().total).toBe(3)
  expect((await api.post(feed, customer.token, { status: 'Provisional' })).statusCode).toBe(200)
  const filtered = await api.get('/api/gst/gst-filter?Status=Suspendd', customer.token)
  expect([filtered.statusCode, filtered.json()]).toMatchObject([422, { parameter: 'Status', suggestion: 'Suspended' }])
})

test('a search by a word that the key of a name leaves out does not find everything', async () => {
  const customer = await granted({})
  const found = async (search: string) => (await api.post(feed, customer.token, { search })).json().total
  const all = (await api.post(feed, customer.token, {})).json().total
  for (const search of ['llp', '&', 'pvt ltd', 'opc']) expect([search, await found(search)]).toEqual([search, 0])
  expect(all).toBeGreaterThan(0)
})

/** What a standing order names may change or go; whatever else of it somebody changes is changed all the same. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { pauseAllStanding } from '../../../src/standing/switch.ts'
import { type LoggedIn, newCustomer, secretKey, useApi } from '../../support/api.ts'
import { addCredits } from '../../support/api-world.ts'
import { companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { panjiProgram } from '../../support/panji-program.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
const world = standingWorld(database, useIngest(database))
const budget = { day: 20, month: 400, run: 20 }
const goa = "State == 'Goa'"

beforeAll(async () => {
  await world.day(companies(1, 1))
  await world.reachable(1, 40)
})
afterEach(() => database.db.transaction((tx) => pauseAllStanding(tx, null, { actor: 'operator' })))

async function buyer(): Promise<LoggedIn> {
  const made = await newCustomer(api, database, { isEnterprise: true })
  await addCredits(database.db, made.accountId, 50)
  return made
}
const make = async (by: LoggedIn, over: object) => {
  const body = { name: 'New in Goa', type: 'company', query: goa, budget, state: 'active', ...over }
  const reply = await api.post('/api/standing-orders', by.token, body)
  expect(reply.statusCode, reply.body).toBe(201)
  const id: string = reply.json().standing_order_id
  // Its first run is looked at already.
  await database.db.execute('UPDATE orders.standing_order SET approved_at = now() WHERE standing_order_id = $1', [id])
  return id
}
const change = async (by: LoggedIn, id: string, payload: object) => {
  const headers = { authorization: `Bearer ${by.token}` }
  const reply = await api.app.inject({ method: 'PATCH', url: `/api/standing-orders/${id}`, payload, headers })
  return reply.statusCode === 200 ? reply.json() : reply.json().error_code
}
const read = async (by: LoggedIn, id: string) => (await api.get(`/api/standing-orders/${id}`, by.token)).json()
const settings = { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' }
const destination = async ({ accountId }: LoggedIn, name: string): Promise<string> =>
  (await addDestination(database.db, connectors, secretKey, { accountId, connector: 'hubspot', name, settings }))
    .destination_id
const removeDestination = (by: LoggedIn, id: string) =>
  api.app.inject({
    method: 'DELETE',
    url: `/api/crm/destinations/${id}`,
    headers: { authorization: `Bearer ${by.token}` },
  })

test('one of a saved screener keeps its query when that is changed or deleted, and its budget can still be lowered', async () => {
  const by = await buyer()
  const saved = { name: 'Goa', type: 'company', query: goa }
  const screener = (await api.post('/api/screener/screeners', by.token, saved)).json().data.id
  const id = await make(by, { screener_id: screener, query: null })
  const path = `/api/screener/screeners/${screener}`
  const headers = { authorization: `Bearer ${by.token}` }
  const kerala = { ...saved, query: "State == 'Kerala'" }
  expect((await api.app.inject({ method: 'PUT', url: path, payload: kerala, headers })).statusCode).toBe(200)
  expect(await change(by, id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', query: goa, version: 1 })
  expect(await change(by, id, { query: goa })).toMatchObject({ screener_id: screener, version: 1 })
  // Named once more it is taken as it is now.
  expect(await change(by, id, { screener_id: screener })).toMatchObject({ query: kerala.query, version: 2 })

  expect((await api.app.inject({ method: 'DELETE', url: path, headers })).statusCode).toBe(200)
  const lower = {
    budget: { day: 1, month: 2, run: 1 },
    conditions: { has_mobile: true, has_email: false, active: true },
  }
  expect(await change(by, id, lower)).toMatchObject({ ...lower, query: kerala.query, version: 3, screener_id: null })
  expect(await change(by, id, { screener_id: screener })).toBe('NOT_FOUND')
})

test('of two who change what they read at the same time the second is told, and what the first changed stands', async () => {
  const by = await buyer()
  const id = await make(by, {})
  const { revision } = await read(by, id)
  const lower = { budget: { day: 1, month: 2, run: 1 } }
  const after = await change(by, id, { ...lower, revision })
  expect(after).toMatchObject(lower)
  expect(after.revision).not.toBe(revision)
  expect(await change(by, id, { name: 'Renamed', budget, revision })).toBe('CONFLICT')
  expect(await read(by, id)).toMatchObject({ ...lower, name: 'New in Goa', revision: after.revision })
  expect(await change(by, id, { name: 'Renamed', revision: after.revision })).toMatchObject({
    ...lower,
    name: 'Renamed',
  })
  // Who names none changes it as it is now; its state is no part of it.
  const { revision: latest } = await read(by, id)
  expect(await change(by, id, { name: 'Renamed' })).toMatchObject({ revision: latest })
  await api.post(`/api/standing-orders/${id}/pause`, by.token, {})
  expect(await read(by, id)).toMatchObject({ state: 'paused', revision: latest })
})

test('a destination that is removed leaves the standing orders that have others, which go on', async () => {
  const by = await buyer()
  const [gone, kept] = [await destination(by, 'gone'), await destination(by, 'kept')]
  const id = await make(by, { delivery: { destinations: [gone, kept] } })
  const other = await make(by, { name: 'Other', query: "State == 'Kerala'", delivery: { destinations: [kept] } })
  const fields = { [gone]: [{ field: 'Owner', value: { constant: 'x' } }], [kept]: [] }
  await database.db.execute('UPDATE orders.standing_order SET mappings = $2 WHERE standing_order_id = $1', [id, fields])
  const untouched = await read(by, other)
  const env = { DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey.reveal() }
  const shown = (await panjiProgram(env).json('standing-order', 'show', id)).answer
  expect(shown).toMatchObject({ delivery: (await read(by, id)).delivery })

  expect((await removeDestination(by, gone)).statusCode).toBe(200)
  expect(await read(by, id)).toMatchObject({
    state: 'active',
    delivery: { destinations: [kept], mappings: [{ destination_id: kept, fields: [] }] },
  })
  expect(await read(by, other)).toEqual(untouched)
  await world.day(companies(2, 3))
  expect(await world.buy()).toBe(2)
})

test('one whose only destination is removed waits, changes in all else meanwhile, and buys once it has another', async () => {
  const by = await buyer()
  const [gone, next] = [await destination(by, 'gone'), await destination(by, 'next')]
  const id = await make(by, { delivery: { destinations: [gone] } })
  expect((await removeDestination(by, gone)).statusCode).toBe(200)
  await world.day(companies(4, 6))
  expect(await world.buy()).toBe(0)
  expect(await read(by, id)).toMatchObject({ state: 'blocked', reason: 'destination_broken' })

  expect(await change(by, id, { name: 'Renamed', budget: { day: 3, month: 9, run: 3 } })).toMatchObject({
    name: 'Renamed',
  })
  expect(await change(by, id, { delivery: { destinations: [gone, next] } })).toMatchObject({ name: 'Renamed' })
  expect(await change(by, id, { delivery: { destinations: [next] } })).toMatchObject({
    delivery: { destinations: [next] },
  })
  expect(await change(by, id, { delivery: { destinations: [gone] } })).toBe('NOT_FOUND')
  expect(await world.buy()).toBe(3)
})

test('one whose last day is over says so where that day is named, and in nothing else', async () => {
  const by = await buyer()
  const id = await make(by, {})
  await database.db.execute(
    `UPDATE orders.standing_order SET ends_on = runtime.indian_day(now()) - 1 WHERE standing_order_id = $1`,
    [id],
  )
  expect(await change(by, id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed' })
  expect(await change(by, id, { ends_on: '2020-01-01' })).toBe('UNPROCESSABLE')
})

test('one that only notifies can be renamed and rescheduled', async () => {
  const by = await buyer()
  const id = await make(by, { buys: false, budget: null, schedule: '08:00' })
  expect(await change(by, id, { name: 'Mornings', schedule: 'monday 08:00' })).toMatchObject({
    ...{ name: 'Mornings', schedule: 'monday 08:00', buys: false, budget: null },
  })
})

test.each([{ missed: 2 }, { missed: 0 }])(
  'one whose query can no longer be read goes on with one that can: of $missed found',
  async ({ missed }) => {
    const by = await buyer()
    const id = await make(by, { query: 'paidUpCapital == 700000' })
    const [from, to] = missed ? [21, 22] : [23, 24]
    await world.day(companies(from, to, { capital: 700_000 }))
    const setQuery = (query: string) =>
      database.db.execute('UPDATE orders.standing_query SET query = $2 WHERE standing_order_id = $1', [id, query])
    await setQuery('a_field_that_is_gone == 1')
    expect(await world.buy()).toBe(0)
    const blocked = { state: 'blocked', reason: 'query_invalid' }
    expect(await read(by, id)).toMatchObject(blocked)
    // What has nothing to do with the query can be changed, and mends nothing.
    expect(await change(by, id, { name: 'Renamed', budget: { day: 9, month: 9, run: 9 } })).toMatchObject(blocked)
    expect(await change(by, id, { query: 'another_field == 1' })).toBe('QUERY_SYNTAX')
    const query = `paidUpCapital == ${missed ? 700_000 : 1}`
    expect(await change(by, id, { query })).toMatchObject({ state: 'active', reason: null, name: 'Renamed' })
    await setQuery('a_field_that_is_gone == 1')
    await world.buy()
    expect(await read(by, id)).toMatchObject(blocked)
    // As if a release brought the field back: nobody changes the query.
    await setQuery(query)
    expect(await world.buy()).toBe(missed)
    expect(await read(by, id)).toMatchObject({ state: 'active', reason: null })
  },
)

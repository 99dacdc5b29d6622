/** The typed client against the real API over HTTP, through a relay that counts calls and breaks some. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPanjiClient, dataOf, everyHit, everyRecord, PanjiApiError } from '../../../client/index.ts'
import { type Customer, createCustomer, logInCustomer, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, known } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { forgeToken } from '../../support/forged-token.ts'
import { type Relay, startRelay } from '../../support/relay.ts'

const database = useTestDatabase()
const api = useApi(database)
let relay: Relay
let customer: Customer

beforeAll(async () => {
  await fillRegisters(database.db)
  relay = await startRelay(await api.app.listen({ port: 0 }))
})
afterAll(() => relay.close())
beforeEach(async () => {
  relay.calls.length = 0
  relay.intercept = (_call, forward) => forward()
  customer = await createCustomer(database.db, { plan: 'premium' })
})

const clientOf = (apiKey = customer.apiKey) => createPanjiClient({ baseUrl: relay.url, apiKey, waitSecondsMax: 1 })
const callsTo = (path: string) => relay.calls.filter((call) => call.path.split('?')[0] === path)

test('twenty first calls at once exchange the key once', async () => {
  const panji = clientOf()
  const profiles = await Promise.all(Array.from({ length: 20 }, () => panji.GET('/api/users/me')))
  expect(new Set(profiles.map((profile) => dataOf(profile).user_id))).toEqual(new Set([customer.accountId]))
  expect(callsTo('/api/auth/login')).toHaveLength(1)
})

test('twenty calls whose token has expired renew it once and all succeed', async () => {
  const panji = clientOf()
  dataOf(await panji.GET('/api/users/me'))
  const first = relay.calls.at(-1)?.headers.get('authorization')
  const session = await logInCustomer(api, customer)
  const now = Math.floor(Date.now() / 1000)
  const expired = await forgeToken(database.db, session, { iat: now - 7200, exp: now - 3600 })
  relay.intercept = (call, forward) => {
    // A token that is made in the same second is the same text.
    const renewed = callsTo('/api/auth/refresh-token').length > 0
    if (!renewed && call.headers.get('authorization') === first) call.headers.set('authorization', `Bearer ${expired}`)
    return forward()
  }
  const profiles = await Promise.all(Array.from({ length: 20 }, () => panji.GET('/api/users/me')))
  expect(profiles.map(({ response }) => response.status)).toEqual(Array(20).fill(200))
  expect(callsTo('/api/auth/refresh-token')).toHaveLength(1)
  expect(callsTo('/api/auth/login')).toHaveLength(1)
})

test('a session that was ended is replaced by a new login', async () => {
  const panji = clientOf()
  dataOf(await panji.GET('/api/users/me'))
  await database.db.execute('UPDATE access.session SET revoked_at = now() WHERE account_id = $1', [customer.accountId])
  expect((await panji.GET('/api/users/me')).response.status).toBe(200)
  expect(callsTo('/api/auth/login')).toHaveLength(2)
})

test('a refused key is an error with the code of the API', async () => {
  const call = clientOf('panji_0000000000000000000000000000000000000000000').GET('/api/users/me')
  await expect(call).rejects.toMatchObject({ name: 'PanjiApiError', status: 401, code: 'INVALID_API_KEY' })
})

test('after a 429 the call waits for Retry-After and succeeds; a longer wait than allowed is the answer', async () => {
  const panji = clientOf()
  let refusals = 0
  let seconds = '1'
  relay.intercept = async (call, forward) => {
    if (call.path !== '/api/users/me' || refusals++ > 0) return forward()
    return new Response('{}', { status: 429, headers: { 'retry-after': seconds, 'content-type': 'application/json' } })
  }
  const started = performance.now()
  expect((await panji.GET('/api/users/me')).response.status).toBe(200)
  expect(performance.now() - started).toBeGreaterThan(990)
  refusals = 0
  seconds = '2'
  expect((await panji.GET('/api/users/me')).response.status).toBe(429)
  expect(callsTo('/api/users/me')).toHaveLength(3)
})

test('an order whose answer was lost is sent again under the same key and placed once', async () => {
  await addCredits(database.db, customer.accountId, 10)
  const panji = clientOf()
  let lost = 0
  relay.intercept = async (call, forward) => {
    const answer = await forward()
    return call.path === '/api/orders/normal' && lost++ === 0 ? 'break the connection' : answer
  }
  const { data, response } = await panji.POST('/api/orders/normal', {
    body: {
      orderName: 'Pilot',
      paymentOption: 'credits',
      items: [
        { type: 'company', name: 'Konkan Petro', number: known.cin },
        { type: 'gst', name: 'Konkan Petro', number: known.gstin },
      ],
    },
  })
  expect([response.status, response.headers.get('idempotency-replayed'), data?.items_count]).toEqual([201, 'true', 2])
  expect(lost).toBe(2)
  const keys = callsTo('/api/orders/normal').map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
  expect(dataOf(await panji.GET('/api/orders')).total).toBe(1)
})

test('what the API has no Idempotency-Key for is sent once: its lost answer is the failure, and it is not done twice', async () => {
  const panji = clientOf()
  let lost = 0
  relay.intercept = async (call, forward) => {
    const answer = await forward()
    return call.method === 'POST' && call.path === '/api/keys' && lost++ === 0 ? 'break the connection' : answer
  }
  const made = panji.POST('/api/keys', { body: { name: 'nightly' }, headers: { 'Idempotency-Key': 'mine' } })
  await expect(made).rejects.toThrow('fetch failed')
  expect(callsTo('/api/keys').map(({ headers }) => headers.get('idempotency-key'))).toEqual([null])
  const { data } = dataOf(await panji.GET('/api/keys'))
  expect(data.filter(({ name }) => name === 'nightly')).toHaveLength(1)
})

test('a search whose answer was lost is asked again', async () => {
  const panji = clientOf()
  let lost = 0
  relay.intercept = async (call, forward) => {
    const answer = await forward()
    return call.path === '/api/screener/search' && lost++ === 0 ? 'break the connection' : answer
  }
  const { response } = await panji.POST('/api/screener/search', { body: { type: 'company', query: "State == 'Goa'" } })
  expect([response.status, lost]).toEqual([200, 2])
})

test('a call is aborted while it waits for a login, which goes on for the others', async () => {
  const panji = clientOf()
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  relay.intercept = async (call, forward) => {
    if (call.path === '/api/auth/login') {
      asked.resolve()
      await held.promise
    }
    return forward()
  }
  const caller = new AbortController()
  const aborted = panji.GET('/api/users/me', { signal: caller.signal })
  const other = panji.GET('/api/users/me')
  await asked.promise
  caller.abort(new Error('The caller has gone.'))
  await expect(aborted).rejects.toThrow('The caller has gone.')
  held.resolve()
  expect((await other).response.status).toBe(200)
  expect(callsTo('/api/auth/login')).toHaveLength(1)
})

test('a server that cannot be reached is tried four times, then the failure is thrown', async () => {
  const panji = clientOf()
  dataOf(await panji.GET('/api/users/me'))
  relay.intercept = async () => 'break the connection'
  await expect(panji.GET('/api/access')).rejects.toThrow('fetch failed')
  expect(callsTo('/api/access')).toHaveLength(4)
})

test('lists are read page by page to their end, and searches by cursor', async () => {
  const panji = clientOf()
  for (let count = 0; count < 7; count++) {
    dataOf(await panji.POST('/api/watchlist', { body: { name: `List ${count}`, watchlist_type: 'gst' } }))
  }
  const names: string[] = []
  const pages = everyRecord((page) => panji.GET('/api/watchlist', { params: { query: { page, limit: 3 } } }))
  for await (const { name } of pages) names.push(name)
  expect(names).toEqual(['List 6', 'List 5', 'List 4', 'List 3', 'List 2', 'List 1', 'List 0'])
  expect(callsTo('/api/watchlist').filter(({ method }) => method === 'GET')).toHaveLength(3)

  const identifiers: string[] = []
  for await (const hit of everyHit(panji, { type: 'company', query: "State == 'Goa'", limit: 10 })) {
    if ('CIN' in hit) identifiers.push(hit.CIN)
  }
  // Of the world's 27 companies the LLP has no state.
  expect([identifiers.length, new Set(identifiers).size]).toEqual([26, 26])
  expect(callsTo('/api/screener/search')).toHaveLength(3)
})

test('an error keeps the members of its body', async () => {
  const body = { type: 'company', query: "Sate == 'Goa'" } as const
  const refused = await clientOf().POST('/api/screener/search', { body })
  expect(refused.error).toMatchObject({ error_code: 'QUERY_SYNTAX', position: 0 })
  expect(() => dataOf(refused)).toThrow(PanjiApiError)
})

/** An operator who sees what an account sees: what is answered, what is refused, what is counted, and under whose name. */
import { beforeAll, expect, test } from 'vitest'
import { addOperator, revokeOperator } from '../../src/access/manage-operators.ts'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, paidOrder } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
let owner: LoggedIn
let token: string

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  owner = await newCustomer(api, database, { plan: 'premium' })
  await openFeeds(db, owner.accountId)
  await addCredits(db, owner.accountId, 50)
  const wish = { name: 'asha', role: 'operator', namesTaken: [], actor: 'system' } as const
  ;({ token } = await db.transaction((tx) => addOperator(tx, wish)))
})

async function view(by = token, browser: Record<string, string> = {}): Promise<Record<string, string>> {
  const opened = await api.app.inject({
    method: 'POST',
    url: `/admin/users/${owner.accountId}/view`,
    headers: { ...browser, authorization: `Bearer ${by}` },
    payload: { reason: 'asked for help' },
  })
  expect(opened.statusCode).toBe(201)
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const session = await api.app.inject({ method: 'GET', url: '/app/session', headers: { cookie } })
  return { cookie, 'x-csrf-token': session.json<{ csrf_token: string }>().csrf_token }
}

const get = (url: string, headers: Record<string, string>) => api.app.inject({ method: 'GET', url, headers })
const post = (url: string, headers: Record<string, string>, payload: object = {}) =>
  api.app.inject({ method: 'POST', url, headers, payload })

test('it is answered as the account is, and none of it counts as the use of the account', async () => {
  const headers = await view()
  const asked = [
    () => get(`/api/gst/details?gstin=${known.gstin}`, headers),
    () => post('/api/recently-registered/companies', headers, {}),
    () => post('/api/screener/search', headers, { query: "State == 'Goa'", type: 'company' }),
    () => get('/api/access', headers),
  ]
  const own = { authorization: `Bearer ${owner.token}` }
  const use = async () => (await get('/api/access', own)).json<{ rate_limits: unknown }>().rate_limits
  const before = await use()
  for (const ask of asked) expect((await ask()).statusCode).toBe(200)
  expect(await use()).toEqual(before)
  const access = async (by: Record<string, string>) => (await get('/api/access', by)).json<{ datasets: unknown }>()
  expect((await access(headers)).datasets).toEqual((await access(own)).datasets)
})

test('whatever would change something is refused, also what an account may do with no scope at all', async () => {
  const headers = await view()
  const orderId = await paidOrder(database.db, api, owner)
  const list = { name: 'Goa', type: 'company', query: "State == 'Goa'" }
  const tried = [
    await post('/api/screener/screeners', headers, list),
    await post('/api/watchlist', headers, { name: 'Goa', type: 'company' }),
    await post('/api/orders/normal', headers, { orderName: 'x', paymentOption: 'credits', items: [] }),
    await post(`/api/orders/${orderId}/cancel`, headers),
    await post('/api/keys', headers, { name: 'mine' }),
    await post('/api/auth/logout', headers),
    await api.app.inject({ method: 'DELETE', url: '/api/users/me/account', headers, payload: {} }),
  ]
  expect(tried.map(({ statusCode }) => statusCode)).toEqual(tried.map(() => 403))
  expect((await get('/api/screener/screeners', headers)).json()).toMatchObject({ data: [] })
  const left = await api.app.inject({ method: 'DELETE', url: '/app/session', headers })
  expect(left.statusCode).toBe(204)
  expect((await get('/api/access', headers)).statusCode).toBe(401)
})

test('each look stands in the audit log under the name of the operator, also at what is nobody else’s, and the account sees it', async () => {
  const headers = await view()
  await get(`/api/gst/details?gstin=${known.gstin}`, headers)
  await get('/api/orders', headers)
  const read = async (url: string, by: Record<string, string>) =>
    (await get(url, by)).json<{ data: { actor: string; action: string }[] }>().data
  const expected = ['view as account', 'read details', 'read accounts']
  const byName = async () => {
    const rows = await read(`/admin/audit?account=${owner.accountId}&limit=100`, {
      authorization: `Bearer ${operatorToken}`,
    })
    return rows.filter(({ actor }) => actor === 'operator:asha').map(({ action }) => action)
  }
  expect(await byName()).toEqual(expect.arrayContaining(expected))
  const own = await read('/api/audit?limit=100', { authorization: `Bearer ${owner.token}` })
  expect(own.map(({ action }) => action)).toEqual(expect.arrayContaining(expected))
})

test('a view that is opened in a browser takes the place of the one that was open there, and of no other', async () => {
  const [first, elsewhere] = [await view(), await view()]
  const second = await view(token, { cookie: first['cookie'] ?? '' })
  const answers = await Promise.all([first, second, elsewhere].map((headers) => get('/api/access', headers)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 200, 200])
})

test('a view ends with its operator, and a viewer opens none', async () => {
  const { db } = database
  const wish = { name: 'vera', role: 'operator', namesTaken: [], actor: 'system' } as const
  const { token: hers } = await db.transaction((tx) => addOperator(tx, wish))
  const headers = await view(hers)
  expect((await get('/api/access', headers)).statusCode).toBe(200)
  await db.transaction((tx) => revokeOperator(tx, 'vera', 'system'))
  expect((await get('/api/access', headers)).statusCode).toBe(401)
  const { token: reader } = await db.transaction((tx) =>
    addOperator(tx, { ...wish, name: 'ravi', role: 'viewer' } as const),
  )
  expect((await api.post(`/admin/users/${owner.accountId}/view`, reader, { reason: 'x' })).statusCode).toBe(403)
  expect((await api.post(`/admin/users/${owner.accountId}/view`, operatorToken, {})).statusCode).toBe(400)
})

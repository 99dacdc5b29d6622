/** What a key called stands in its log: that and no more, of its account alone, and no call waits for it. */
import { expect, test } from 'vitest'
import { requestLogBounds } from '../../../config/request-log.ts'
import { retention } from '../../../config/retention.ts'
import { createRequestLog } from '../../../src/access/request-log/request-log.ts'
import { sweepRequests } from '../../../src/access/request-log/sweep-requests.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const prefixOf = ({ apiKey }: LoggedIn) => apiKey.slice(0, 10)
const log = async (customer: LoggedIn, prefix = prefixOf(customer), query = '') =>
  api.get(`/api/keys/${prefix}/requests${query}`, customer.token)

test('a call is logged with method, route, status, duration and id, without the contents of its URL and body', async () => {
  const customer = await newCustomer(api, database)
  const secret = 'U85100GA2022PTC999999'
  const asked = await api.get(`/api/company/details?cin=${secret}`, customer.token)
  await api.post('/api/screener/phrase', customer.token, { phrase: secret })
  const reply = await log(customer)
  expect(reply.json()).toMatchObject({
    total: 2,
    data: [
      { method: 'POST', route: '/api/screener/phrase', status: 200, error_code: null },
      {
        ...{ method: 'GET', route: '/api/company/details', status: 404, error_code: 'NOT_FOUND' },
        ...{ request_id: asked.headers['x-request-id'], ms: expect.any(Number), at: expect.any(String) },
      },
    ],
  })
  expect(reply.body).not.toContain(secret)
  expect((await log(customer, prefixOf(customer), '?outcome=failed&limit=1')).json()).toMatchObject({
    data: [{ error_code: 'NOT_FOUND' }],
  })
})

test('another account finds no log under the prefix of the key, and a key that was never called has an empty one', async () => {
  const [owner, stranger] = [await newCustomer(api, database), await newCustomer(api, database)]
  await api.get('/api/users/me', owner.token)
  expect((await log(stranger, prefixOf(owner))).statusCode).toBe(404)
  const made = await api.post('/api/keys', owner.token, { name: 'idle' })
  expect((await log(owner, made.json().prefix)).json()).toMatchObject({ data: [], total: 0 })
})

test('the pages of the account, which open with a cookie, are no calls of its key', async () => {
  const customer = await newCustomer(api, database)
  const signedIn = await api.post('/app/session', undefined, { api_key: customer.apiKey })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]
  const headers = { cookie, 'x-csrf-token': signedIn.json().csrf_token }
  const seen = await api.app.inject({ method: 'GET', url: '/api/users/me', headers })
  expect(seen.statusCode).toBe(200)
  expect((await log(customer)).json().data).toEqual([])
})

const call = (apiKeyId: string, accountId: string, at = new Date()) => ({
  ...{ apiKeyId, accountId, at, method: 'GET', route: '/x', status: 200, errorCode: null, ms: 1, requestId: 'r' },
})
const counted = async (apiKeyId: string) => {
  const rows = await database.db.query('SELECT FROM access.request_log WHERE api_key_id = $1', [apiKeyId])
  return rows.length
}

test('a flood of one key is written in part, and leaves those of another key whole', async () => {
  const [flooding, calm] = [await newCustomer(api, database), await newCustomer(api, database)]
  const requests = createRequestLog(database.as('panji_api'), (error) => expect(error).toBeUndefined())
  for (let n = 0; n < requestLogBounds.perKeyAtOnce * 3; n++)
    requests.note(call(flooding.accountId, flooding.accountId))
  requests.note(call(calm.accountId, calm.accountId))
  await requests.flush()
  expect([await counted(flooding.accountId), await counted(calm.accountId)]).toEqual([requestLogBounds.perKeyAtOnce, 1])
})

test('calls that the database did not take are written once it takes them', async () => {
  const { accountId } = await newCustomer(api, database)
  const db = database.as('panji_api')
  let isAway = true
  const requests = createRequestLog(
    { ...db, execute: (sql, values) => (isAway ? Promise.reject(new Error('away')) : db.execute(sql, values)) },
    () => {},
  )
  requests.note(call(accountId, accountId))
  await expect(requests.flush()).rejects.toThrow('away')
  requests.note(call(accountId, accountId))
  isAway = false
  await requests.flush()
  expect(await counted(accountId)).toBe(2)
})

test('the sweep leaves what is young and among the newest of its key', async () => {
  const { accountId } = await newCustomer(api, database)
  const other = (await newCustomer(api, database)).accountId
  const requests = createRequestLog(database.as('panji_api'), () => {})
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (let n = 1; n <= 5; n++) requests.note(call(accountId, accountId, minutesAgo(n)))
  requests.note(call(other, other, minutesAgo(1)))
  requests.note(call(other, other, minutesAgo(60 * 24 * 8)))
  await requests.flush()
  const worker = database.as('panji_worker')
  await sweepRequests(worker, retention.requests, 3)
  expect(await sweepRequests(worker, retention.requests, 3)).toBe(0)
  expect([await counted(accountId), await counted(other)]).toEqual([3, 1])
})

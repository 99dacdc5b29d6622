/** Refresh tokens that are used again or all at once, and suspension in the midst of a session. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suspendAccount } from '../../src/access/accounts.ts'
import { revokeApiKey } from '../../src/access/manage-keys.ts'
import { buildTestServer, type LoggedIn, newCustomer, operatorToken, recordJobs, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
let second: Awaited<ReturnType<typeof buildTestServer>>
beforeAll(async () => {
  second = await buildTestServer(database, recordJobs())
})
afterAll(() => second.close())

const refresh = (refreshToken: string) =>
  api.post('/api/auth/refresh-token', undefined, { refresh_token: refreshToken })
const profile = (token: string, app = api.app) =>
  app.inject({ url: '/api/users/me', remoteAddress: '10.0.0.1', headers: { authorization: `Bearer ${token}` } })

test('a refresh token used again, after a lost answer or twenty times at once, keeps its one session alive', async () => {
  const { accountId, refreshToken } = await newCustomer(api, database)
  const lost = await refresh(refreshToken)
  const replies = [lost, ...(await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken))))]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200))
  for (const reply of replies) expect((await profile(reply.json().access_token)).statusCode).toBe(200)
  const sessions = await database.db.query('SELECT FROM access.session WHERE account_id = $1', [accountId])
  expect(sessions).toHaveLength(1)
})

async function keyOf({ accountId }: LoggedIn): Promise<string> {
  const [key] = await database.db.query<{ id: string }>(
    'SELECT api_key_id AS id FROM access.api_key WHERE account_id = $1',
    [accountId],
  )
  return key?.id ?? ''
}

test.each(['revoked key', 'suspension'])(
  'a stolen refresh token ends with a %s: neither it nor any access token it gave is good again',
  async (measure) => {
    const customer = await newCustomer(api, database)
    const stolen = (await refresh(customer.refreshToken)).json<{ access_token: string }>().access_token
    const { db } = database
    if (measure === 'suspension') await db.transaction((tx) => suspendAccount(tx, customer.accountId))
    else {
      const keyId = await keyOf(customer)
      await db.transaction((tx) => revokeApiKey(tx, customer.accountId, keyId))
    }
    const refused = measure === 'suspension' ? 403 : 401
    for (const token of [customer.token, stolen]) expect((await profile(token)).statusCode).toBe(refused)
    expect((await refresh(customer.refreshToken)).statusCode).toBe(refused)
  },
)

test('refreshes that race with the suspension give no token that is good after it', async () => {
  for (let round = 0; round < 5; round++) {
    const { accountId, refreshToken } = await newCustomer(api, database)
    const suspend = api.post(`/admin/users/${accountId}/suspend`, operatorToken)
    const replies = await Promise.all([...Array.from({ length: 10 }, () => refresh(refreshToken)), suspend])
    for (const reply of replies.slice(0, -1).filter(({ statusCode }) => statusCode === 200)) {
      expect((await profile(reply.json().access_token)).statusCode).toBe(403)
    }
  }
})

test('from the moment a suspension is answered no call of the account passes, in any process', async () => {
  const { accountId, token } = await newCustomer(api, database)
  const answers: { readonly asked: number; readonly status: number }[] = []
  let going = true
  // Both processes have the token in memory by then, and calls are under way all the time.
  const stream = async (app: typeof second) => {
    while (going) {
      const asked = performance.now()
      answers.push({ asked, status: (await profile(token, app)).statusCode })
    }
  }
  const streams = [stream(api.app), stream(second), stream(api.app), stream(second)]
  while (answers.length < 40) await profile(token)
  const reply = await api.post(`/admin/users/${accountId}/suspend`, operatorToken)
  const suspended = performance.now()
  expect(reply.statusCode).toBe(200)
  const before = answers.length
  while (answers.length < before + 40) await profile(token, second)
  going = false
  await Promise.all(streams)
  const after = answers.filter(({ asked }) => asked > suspended)
  expect(after.length).toBeGreaterThan(20)
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([403]))
  expect(answers.some(({ status }) => status === 200)).toBe(true)
})

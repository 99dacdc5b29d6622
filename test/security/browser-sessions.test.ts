/** Who is signed in at a browser: guessing is slowed down, the rights are those of the token, code or key, and end with it. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anonymousBounds } from '../../config/http-bounds.ts'
import { issueConsoleCode } from '../../src/access/console-codes.ts'
import { Secret } from '../../src/domain/secret.ts'
import {
  buildTestServer,
  createCustomer,
  freshAddress,
  logInCustomer,
  operatorToken,
  recordJobs,
  useApi,
} from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { codeOf, type SignedIn, useBrowsers, with_ } from './browsers.ts'

const database = useTestDatabase()
const api = useApi(database, [], { operators: [{ name: 'asha', token: new Secret('token-of-asha-the-operator') }] })
const { call, signIn } = useBrowsers(api)

async function addOperator(name: string, role: string): Promise<string> {
  const reply = await api.post('/admin/operators', operatorToken, { name, role })
  return reply.json<{ token: string }>().token
}

test('wrong tokens and keys are slowed down as at every other sign-in, and the right one still signs in', async () => {
  for (const [door, wrong, right] of [
    ['console', { token: 'wrong-token-of-nobody' }, { token: operatorToken }],
    ['app', { api_key: `panji_${'0'.repeat(43)}` }, { api_key: (await createCustomer(database.db)).apiKey }],
  ] as const) {
    const remoteAddress = freshAddress()
    const post = (payload: object) =>
      api.app.inject({ method: 'POST', url: `/${door}/session`, payload, remoteAddress })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await post(wrong)).statusCode)
    expect([door, statuses.slice(0, 10), statuses.at(-1)]).toEqual([door, Array(10).fill(401), 429])
    expect([door, (await post(right)).statusCode]).toEqual([door, 201])
  }
})

describe('the code of a printed link', () => {
  test('signs one in as owner, once, however many come with it at the same time', async () => {
    const code = await database.db.transaction(issueConsoleCode)
    const replies = await Promise.all([1, 2, 3, 4].map(() => call('POST', '/console/session', {}, { code })))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401, 401, 401])
    const [won] = replies.filter(({ statusCode }) => statusCode === 201)
    expect(won?.json()).toMatchObject({ name: 'default', role: 'owner' })
    const again = await call('POST', '/console/session', {}, { code })
    expect([again.statusCode, codeOf(again), again.cookies]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED', []])
  })

  test('is good for a quarter of an hour, and lies hashed', async () => {
    const code = await database.db.transaction(issueConsoleCode)
    const rows = await database.db.query<{ text: string; minutes: number }>(
      `SELECT c::text AS text, round(extract(epoch FROM expires_at - now()) / 60)::integer AS minutes
       FROM access.console_code c WHERE used_at IS NULL`,
    )
    expect(rows.map(({ minutes }) => minutes)).toEqual([15])
    expect(rows.map(({ text }) => text).join()).not.toContain(code)
    await database.db.execute(`UPDATE access.console_code SET expires_at = now() WHERE used_at IS NULL`)
    expect((await call('POST', '/console/session', {}, { code })).statusCode).toBe(401)
  })

  test('that was never given is refused, and guessing is slowed down', async () => {
    const app = await buildTestServer(database, recordJobs(), [], { bucketClock: () => 0 })
    const remoteAddress = freshAddress()
    const guess = (n: number) => {
      const code = createHash('sha256').update(`${n}`).digest('base64url')
      return app.inject({ method: 'POST', url: '/console/session', payload: { code }, remoteAddress })
    }
    const replies = await Promise.all(Array.from({ length: anonymousBounds.failuresMax + 20 }, (_, n) => guess(n)))
    const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length
    expect([count(401), count(429)]).toEqual([anonymousBounds.failuresMax, 20])
    const code = await database.db.transaction(issueConsoleCode)
    const right = await app.inject({ method: 'POST', url: '/console/session', payload: { code }, remoteAddress })
    expect(right.statusCode).toBe(201)
    await app.close()
  })
})

describe('an operator at a browser', () => {
  test('has the rights of the role, which hold from the next call on', async () => {
    const viewer = await signIn('console', { token: await addOperator('vera', 'viewer') })
    expect(viewer.reply.json()).toMatchObject({ name: 'vera', role: 'viewer' })
    expect((await call('GET', '/admin/users', with_(viewer))).statusCode).toBe(200)
    const act = await call('POST', '/admin/security/block-ip', with_(viewer), { ip: '203.0.113.77' })
    expect([act.statusCode, codeOf(act)]).toEqual([403, 'OPERATOR_ROLE_MISSING'])
    await database.db.execute(`UPDATE access.operator SET role = 'operator' WHERE name = 'vera'`)
    expect((await call('POST', '/admin/security/block-ip', with_(viewer), { ip: '203.0.113.77' })).statusCode).toBe(200)
    await database.db.execute(`UPDATE access.operator SET role = 'viewer' WHERE name = 'vera'`)
    expect((await call('POST', '/admin/security/unblock-ip', with_(viewer), { ip: '203.0.113.77' })).statusCode).toBe(
      403,
    )
  })

  test('who is revoked is out with the next call', async () => {
    const session = await signIn('console', { token: await addOperator('rita', 'operator') })
    expect((await call('GET', '/admin/users', with_(session))).statusCode).toBe(200)
    await call('DELETE', '/admin/operators/rita', { authorization: `Bearer ${operatorToken}` })
    expect((await call('GET', '/admin/users', with_(session))).statusCode).toBe(401)
    // The one who comes back under the name is another.
    await addOperator('rita', 'owner')
    expect((await call('GET', '/admin/users', with_(session))).statusCode).toBe(401)
  })

  test('acts under the own name, and each sign-in stands in the audit log', async () => {
    const acts = async () =>
      (await api.get('/admin/audit?actor=operator:asha&kind=act', operatorToken)).json<{ data: object[] }>().data
    const before = (await acts()).length
    const session = await signIn('console', { token: 'token-of-asha-the-operator' })
    await call('POST', '/admin/security/block-ip', with_(session), { ip: '203.0.113.78' })
    const after = await acts()
    expect(after.slice(0, after.length - before)).toMatchObject([
      { action: 'block address', credential: 'environment' },
      {
        action: 'sign in to console',
        credential: 'environment',
        operation: 'signInToConsole',
        subject: 'operator:asha',
      },
    ])
  })

  test('whose token the environment has changed is out', async () => {
    const session = await signIn('console', { token: 'token-of-asha-the-operator' })
    const app = await buildTestServer(database, recordJobs(), [], {
      operators: [{ name: 'asha', token: new Secret('another-token-of-asha') }],
    })
    const reply = await app.inject({ url: '/admin/users', headers: with_(session), remoteAddress: freshAddress() })
    expect(reply.statusCode).toBe(401)
    await app.close()
  })

  const listed = async (session: SignedIn) =>
    (await call('GET', '/console/sessions', with_(session))).json<{
      data: { session_id: string; name: string; current: boolean }[]
    }>().data

  test('sees the own sessions, ends them, and none of others unless as owner', async () => {
    const token = await addOperator('olive', 'viewer')
    const [one, two] = [await signIn('console', { token }), await signIn('console', { token })]
    const owner = await signIn('console', { token: operatorToken })
    const list = await listed(one)
    expect(list.map(({ name, current }) => [name, current])).toEqual([
      ['olive', false],
      ['olive', true],
    ])
    const all = await listed(owner)
    expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(1)
    const owners = all.find(({ current }) => current)?.session_id ?? ''
    expect((await call('DELETE', `/console/sessions/${owners}`, with_(one))).statusCode).toBe(404)
    const other = list.find(({ current }) => !current)?.session_id ?? ''
    expect((await call('DELETE', `/console/sessions/${other}`, with_(one))).statusCode).toBe(204)
    expect((await call('GET', '/admin/users', with_(two))).statusCode).toBe(401)
    const mine = list.find(({ current }) => current)?.session_id ?? ''
    expect((await call('DELETE', `/console/sessions/${mine}`, with_(owner))).statusCode).toBe(204)
    expect((await call('GET', '/admin/users', with_(one))).statusCode).toBe(401)
  })
})

describe('an account user at a browser', () => {
  test('has the scopes of the key, and is out when the key is revoked or the account suspended', async () => {
    const customer = await createCustomer(database.db)
    const login = await logInCustomer(api, customer)
    const issued = await api.post('/api/keys', login.token, { name: 'browser', scopes: ['read'] })
    const { api_key: key, prefix } = issued.json<{ api_key: string; prefix: string }>()
    const reader = await signIn('app', { api_key: key })
    expect(reader.reply.json()).toMatchObject({ user_id: customer.accountId, scopes: ['read'] })
    const write = await call('POST', '/api/orders/normal', with_(reader), {})
    expect([write.statusCode, codeOf(write)]).toEqual([403, 'SCOPE_MISSING'])
    const listed = await call('GET', '/api/sessions', with_(reader))
    expect(listed.json().data).toContainEqual(expect.objectContaining({ key_prefix: prefix, current: true }))
    await call('DELETE', `/api/keys/${prefix}`, { authorization: `Bearer ${login.token}` })
    expect((await call('GET', '/api/users/me', with_(reader))).statusCode).toBe(401)

    const whole = await signIn('app', { api_key: customer.apiKey })
    expect((await call('GET', '/api/auth/validate', with_(whole))).json()).toMatchObject({
      valid: true,
      expires_at: expect.stringMatching(/^\d{4}-/),
    })
    await api.post(`/admin/users/${customer.accountId}/suspend`, operatorToken)
    expect((await call('GET', '/api/users/me', with_(whole))).statusCode).toBe(403)
    await api.post(`/admin/users/${customer.accountId}/unsuspend`, operatorToken)
    expect((await call('GET', '/api/users/me', with_(whole))).statusCode).toBe(401)
  })

  test('whose hours are over is out', async () => {
    const session = await signIn('app', { api_key: (await createCustomer(database.db)).apiKey })
    const hours = (Date.parse(session.reply.json<{ expires_at: string }>().expires_at) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(12)
    await database.db.execute('UPDATE access.session SET expires_at = now()')
    expect((await call('GET', '/api/users/me', with_(session))).statusCode).toBe(401)
  })
})

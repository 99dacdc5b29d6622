/** Browsers that are signed in: the cookie alone opens nothing, pages of others open nothing, and what is ended stays ended. */
import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { strangerBounds } from '../../config/http-bounds.ts'
import { issueConsoleCode } from '../../src/access/console-codes.ts'
import { buildServer } from '../../src/api/server.ts'
import { Secret } from '../../src/domain/secret.ts'
import {
  buildTestServer,
  createCustomer,
  freshAddress,
  logInCustomer,
  operatorToken,
  recordJobs,
  secretKey,
  useApi,
} from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const api = useApi(database, [], { operators: [{ name: 'asha', token: new Secret('token-of-asha-the-operator') }] })

interface SignedIn {
  readonly cookie: string
  readonly csrf: string
  readonly reply: LightMyRequestResponse
}

type Headers = Readonly<Record<string, string>>

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers = {}, payload?: object) =>
  api.app.inject({
    method,
    url,
    headers: { host: 'panji.example', ...headers },
    remoteAddress: freshAddress(),
    ...(payload ? { payload } : {}),
  })

async function signIn(door: 'console' | 'app', payload: object, headers: Headers = {}): Promise<SignedIn> {
  const reply = await call('POST', `/${door}/session`, headers, payload)
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
  const [cookie] = reply.cookies
  return { reply, cookie: `${cookie?.name}=${cookie?.value}`, csrf: reply.json<{ csrf_token: string }>().csrf_token }
}

const with_ = ({ cookie, csrf }: Pick<SignedIn, 'cookie' | 'csrf'>): Headers => ({ cookie, 'x-csrf-token': csrf })
const codeOf = (reply: LightMyRequestResponse) => reply.json<{ error_code?: string }>().error_code

async function addOperator(name: string, role: string): Promise<string> {
  const reply = await api.post('/admin/operators', operatorToken, { name, role })
  return reply.json<{ token: string }>().token
}

const doors = [
  { door: 'console', url: '/admin/users', credentials: async () => ({ token: operatorToken }) },
  {
    door: 'app',
    url: '/api/users/me',
    credentials: async () => ({ api_key: (await createCustomer(database.db)).apiKey }),
  },
] as const

describe.each(doors)('at /$door', ({ door, url, credentials }) => {
  let session: SignedIn
  beforeAll(async () => {
    session = await signIn(door, await credentials())
  })

  test('the cookie is for this host, out of reach of scripts, and sent by pages of this site alone', async () => {
    expect(session.reply.cookies).toMatchObject([
      { name: `panji_${door}`, path: '/', httpOnly: true, sameSite: 'Strict' },
    ])
    expect(session.reply.headers['set-cookie']).not.toMatch(/Secure|Domain/)
    expect(session.reply.headers['cache-control']).toContain('no-store')
    const secret = session.cookie.split('=')[1] ?? ''
    expect(session.reply.body).not.toContain(secret)
  })

  test('cookie and header together open; cookie alone, header alone, and another header do not', async () => {
    expect((await call('GET', url, with_(session))).statusCode).toBe(200)
    const alone = await call('GET', url, { cookie: session.cookie })
    expect([alone.statusCode, codeOf(alone)]).toEqual([403, 'CSRF_TOKEN_MISSING'])
    const other = await call('GET', url, { cookie: session.cookie, 'x-csrf-token': `${session.csrf}x` })
    expect([other.statusCode, codeOf(other)]).toEqual([403, 'CSRF_TOKEN_MISSING'])
    expect((await call('GET', url, { 'x-csrf-token': session.csrf })).statusCode).toBe(401)
    expect((await call('GET', url, { authorization: `Bearer ${session.cookie.split('=')[1]}` })).statusCode).toBe(401)
  })

  test('a page of another origin opens nothing, also where it has got hold of the header', async () => {
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' }, // another port of this host
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] satisfies Headers[]) {
      const read = await call('GET', url, { ...with_(session), ...foreign })
      expect([foreign, codeOf(read)]).toEqual([foreign, 'CSRF_TOKEN_MISSING'])
      const own = await call('GET', `/${door}/session`, { cookie: session.cookie, ...foreign })
      expect([foreign, codeOf(own)]).toEqual([foreign, 'CSRF_TOKEN_MISSING'])
      const signedIn = await call('POST', `/${door}/session`, foreign, await credentials())
      expect([foreign, codeOf(signedIn), signedIn.cookies]).toEqual([foreign, 'CSRF_TOKEN_MISSING', []])
      const out = await call('DELETE', `/${door}/session`, { ...with_(session), ...foreign })
      expect([foreign, codeOf(out)]).toEqual([foreign, 'CSRF_TOKEN_MISSING'])
    }
    const own = { 'sec-fetch-site': 'same-origin', origin: 'http://panji.example' }
    expect((await call('GET', url, { ...with_(session), ...own })).statusCode).toBe(200)
    expect((await call('GET', url, { ...with_(session), origin: 'http://panji.example' })).statusCode).toBe(200)
  })

  test('a form, which needs nobody’s leave to be sent from elsewhere, signs nobody in', async () => {
    const payload = JSON.stringify(await credentials())
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await api.app.inject({
        method: 'POST',
        url: `/${door}/session`,
        payload,
        headers: { 'content-type': type },
      })
      expect([type, reply.statusCode, reply.cookies]).toEqual([type, 415, []])
    }
  })

  test('a page that was loaded again finds who is signed in, and its token, by the cookie alone', async () => {
    const reply = await call('GET', `/${door}/session`, { cookie: session.cookie })
    expect([reply.statusCode, reply.json()]).toEqual([200, session.reply.json()])
    const bearer =
      door === 'console' ? operatorToken : (await logInCustomer(api, await createCustomer(database.db))).token
    expect((await call('GET', `/${door}/session`, { authorization: `Bearer ${bearer}` })).statusCode).toBe(401)
  })

  test('a bearer token goes before the cookie, whichever of them is wrong', async () => {
    const reply = await call('GET', url, { ...with_(session), authorization: 'Bearer of-nothing-that-anybody-knows' })
    expect(reply.statusCode).toBe(401)
  })

  test('a session that rests for an hour is over, and each minute of use puts the hour off', async () => {
    const resting = await signIn(door, await credentials())
    const secret = resting.cookie.split('=')[1] ?? ''
    const [table, hash] = door === 'console' ? ['console_session', 'secret_sha256'] : ['session', 'refresh_sha256']
    const sha256 = createHash('sha256')
      .update(door === 'console' ? secret : `browser session ${secret}`)
      .digest()
    const usedBefore = (minutes: number) =>
      database.db.execute(
        `UPDATE access.${table} SET last_used_at = now() - make_interval(mins => $2) WHERE ${hash} = $1`,
        [sha256, minutes],
      )
    const usedWithin = async (minutes: number) => {
      const rows = await database.db.query(
        `SELECT FROM access.${table} WHERE ${hash} = $1 AND last_used_at > now() - make_interval(mins => $2)`,
        [sha256, minutes],
      )
      return rows.length
    }
    const statuses = async () => [
      (await call('GET', `/${door}/session`, { cookie: resting.cookie })).statusCode,
      (await call('GET', url, with_(resting))).statusCode,
    ]
    // Beyond the hour when added up; each use begins it anew.
    for (let n = 0; n < 3; n++) {
      expect(await usedBefore(59)).toBe(1)
      expect(await statuses()).toEqual([200, 200])
      expect(await usedWithin(1), 'used just now').toBe(1)
    }
    await usedBefore(60)
    expect(await statuses()).toEqual([401, 401])
    expect(await usedWithin(59), 'whoever comes too late does not wake it').toBe(0)
  })

  test('what somebody put into the browser before becomes no session, and the one that was there ends', async () => {
    const planted = `panji_${door}=${'A'.repeat(43)}`
    const fresh = await signIn(door, await credentials(), { cookie: planted })
    expect(fresh.cookie).not.toBe(planted)
    expect((await call('GET', url, { cookie: planted, 'x-csrf-token': fresh.csrf })).statusCode).not.toBe(200)
    const csrf = createHash('sha256')
      .update(`panji csrf ${'A'.repeat(43)}`)
      .digest('base64url')
    expect((await call('GET', url, { cookie: planted, 'x-csrf-token': csrf })).statusCode).toBe(401)
    const next = await signIn(door, await credentials(), { cookie: fresh.cookie })
    expect((await call('GET', url, with_(fresh))).statusCode).toBe(401)
    expect((await call('GET', url, with_(next))).statusCode).toBe(200)
  })

  test('signed out is out: cookie and header open nothing any more, and the browser forgets the cookie', async () => {
    const leaving = await signIn(door, await credentials())
    const reply = await call('DELETE', `/${door}/session`, with_(leaving))
    expect([reply.statusCode, reply.body, reply.cookies[0]?.value]).toEqual([204, '', ''])
    expect(reply.headers['clear-site-data']).toBe('"cache"')
    expect((await call('GET', url, with_(leaving))).statusCode).toBe(401)
    expect((await call('GET', `/${door}/session`, { cookie: leaving.cookie })).statusCode).toBe(401)
    expect((await call('GET', url, with_(session))).statusCode).toBe(200)
  })

  test('neither the cookie nor what is stored of it lies readable in the database', async () => {
    const secret = session.cookie.split('=')[1] ?? ''
    const rows = await database.db.query<{ text: string }>(
      `SELECT s::text AS text FROM access.console_session s UNION ALL SELECT s::text FROM access.session s`,
    )
    const all = rows.map(({ text }) => text).join()
    expect(all.length).toBeGreaterThan(100)
    expect(all).not.toContain(secret)
    expect(all).not.toContain(createHash('sha256').update(operatorToken).digest('hex'))
  })

  test('the cookie of one door opens nothing at the other, nor /metrics, nor a new access token', async () => {
    const elsewhere = door === 'console' ? '/api/users/me' : '/admin/users'
    const secret = session.cookie.split('=')[1] ?? ''
    for (const name of ['panji_app', 'panji_console']) {
      const reply = await call('GET', elsewhere, { cookie: `${name}=${secret}`, 'x-csrf-token': session.csrf })
      expect([name, reply.statusCode]).toEqual([name, 401])
    }
    expect((await call('GET', '/metrics', with_(session))).statusCode).toBe(401)
    const renewed = await call('POST', '/api/auth/refresh-token', {}, { refresh_token: secret })
    expect(codeOf(renewed)).toBe('INVALID_REFRESH_TOKEN')
  })
})

test('over https the cookie is for https alone', async () => {
  const proxied = await buildServer({
    db: database.as('panji_api'),
    queue: recordJobs(),
    log: pino({ level: 'silent' }),
    settings: { leadSource: 'Panji', onlineLabel: 'online' },
    secretKey,
    operatorToken: new Secret(operatorToken),
    trustedProxies: ['127.0.0.1'],
    http: { loopDelayMsMax: 600_000 },
  })
  const over = (protocol: string) =>
    proxied.inject({
      method: 'POST',
      url: '/console/session',
      headers: { 'x-forwarded-proto': protocol, 'x-forwarded-for': freshAddress() },
      payload: { token: operatorToken },
    })
  const signed = await over('https')
  expect(signed.cookies).toMatchObject([
    { name: '__Host-panji_console', path: '/', secure: true, httpOnly: true, sameSite: 'Strict' },
  ])
  expect(String(signed.headers['set-cookie'])).not.toContain('Domain')
  expect((await over('http')).headers['set-cookie']).not.toContain('Secure')
  // What a page of another name, or one without TLS, can put into the browser is not read over https.
  const secret = signed.cookies[0]?.value
  const status = async (name: string, protocol: string) =>
    (
      await proxied.inject({
        url: '/console/session',
        headers: { 'x-forwarded-proto': protocol, 'x-forwarded-for': freshAddress(), cookie: `${name}=${secret}` },
      })
    ).statusCode
  expect(await status('__Host-panji_console', 'https')).toBe(200)
  expect(await status('panji_console', 'https')).toBe(401)
  expect(await status('__Host-panji_console', 'http')).toBe(401)
  await proxied.close()
})

test('wrong tokens and keys are slowed down as at the other doors, and the right one still signs in', async () => {
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
    const replies = await Promise.all(Array.from({ length: strangerBounds.failuresMax + 20 }, (_, n) => guess(n)))
    const count = (status: number) => replies.filter(({ statusCode }) => statusCode === status).length
    expect([count(401), count(429)]).toEqual([strangerBounds.failuresMax, 20])
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

  test('acts under the own name, and each sign-in stands in the trail', async () => {
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

/** The cookie of a browser: alone it opens nothing, pages of others open nothing with it, and what is ended stays ended. */
import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { storedProof } from '../../src/access/operator-proof.ts'
import { buildServer } from '../../src/api/server.ts'
import { Secret } from '../../src/domain/secret.ts'
import {
  createCustomer,
  freshAddress,
  logInCustomer,
  operatorToken,
  recordJobs,
  secretKey,
  useApi,
} from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { codeOf, type Headers, type SignedIn, useBrowsers, with_ } from './browsers.ts'

const database = useTestDatabase()
const api = useApi(database)
const { call, signIn } = useBrowsers(api)

const kinds = [
  { kind: 'console', url: '/admin/users', credentials: async () => ({ token: operatorToken }) },
  {
    kind: 'app',
    url: '/api/users/me',
    credentials: async () => ({ api_key: (await createCustomer(database.db)).apiKey }),
  },
] as const

describe.each(kinds)('at /$kind', ({ kind, url, credentials }) => {
  let session: SignedIn
  beforeAll(async () => {
    session = await signIn(kind, await credentials())
  })

  test('the cookie is for this host, out of reach of scripts, and sent by pages of this site alone', async () => {
    expect(session.reply.cookies).toMatchObject([
      { name: `panji_${kind}`, path: '/', httpOnly: true, sameSite: 'Strict' },
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
      const own = await call('GET', `/${kind}/session`, { cookie: session.cookie, ...foreign })
      expect([foreign, codeOf(own)]).toEqual([foreign, 'CSRF_TOKEN_MISSING'])
      const signedIn = await call('POST', `/${kind}/session`, foreign, await credentials())
      expect([foreign, codeOf(signedIn), signedIn.cookies]).toEqual([foreign, 'CSRF_TOKEN_MISSING', []])
      const out = await call('DELETE', `/${kind}/session`, { ...with_(session), ...foreign })
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
        url: `/${kind}/session`,
        payload,
        headers: { 'content-type': type },
      })
      expect([type, reply.statusCode, reply.cookies]).toEqual([type, 415, []])
    }
  })

  test('a page that was loaded again finds who is signed in, and its token, by the cookie alone', async () => {
    const reply = await call('GET', `/${kind}/session`, { cookie: session.cookie })
    expect([reply.statusCode, reply.json()]).toEqual([200, session.reply.json()])
    const bearer =
      kind === 'console' ? operatorToken : (await logInCustomer(api, await createCustomer(database.db))).token
    expect((await call('GET', `/${kind}/session`, { authorization: `Bearer ${bearer}` })).statusCode).toBe(401)
  })

  test('a bearer token goes before the cookie, whichever of them is wrong', async () => {
    const reply = await call('GET', url, { ...with_(session), authorization: 'Bearer of-nothing-that-anybody-knows' })
    expect(reply.statusCode).toBe(401)
  })

  test('a session that rests for an hour is over, and each minute of use puts the hour off', async () => {
    const resting = await signIn(kind, await credentials())
    const secret = resting.cookie.split('=')[1] ?? ''
    const [table, hash] = kind === 'console' ? ['console_session', 'secret_sha256'] : ['session', 'refresh_sha256']
    const stored =
      kind === 'console' ? storedProof(secret) : createHash('sha256').update(`browser session ${secret}`).digest()
    const usedBefore = (minutes: number) =>
      database.db.execute(
        `UPDATE access.${table} SET last_used_at = now() - make_interval(mins => $2) WHERE ${hash} = $1`,
        [stored, minutes],
      )
    const usedWithin = async (minutes: number) => {
      const rows = await database.db.query(
        `SELECT FROM access.${table} WHERE ${hash} = $1 AND last_used_at > now() - make_interval(mins => $2)`,
        [stored, minutes],
      )
      return rows.length
    }
    const statuses = async () => [
      (await call('GET', `/${kind}/session`, { cookie: resting.cookie })).statusCode,
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
    const planted = `panji_${kind}=${'A'.repeat(43)}`
    const fresh = await signIn(kind, await credentials(), { cookie: planted })
    expect(fresh.cookie).not.toBe(planted)
    expect((await call('GET', url, { cookie: planted, 'x-csrf-token': fresh.csrf })).statusCode).not.toBe(200)
    const csrf = createHash('sha256')
      .update(`panji csrf ${'A'.repeat(43)}`)
      .digest('base64url')
    expect((await call('GET', url, { cookie: planted, 'x-csrf-token': csrf })).statusCode).toBe(401)
    const next = await signIn(kind, await credentials(), { cookie: fresh.cookie })
    expect((await call('GET', url, with_(fresh))).statusCode).toBe(401)
    expect((await call('GET', url, with_(next))).statusCode).toBe(200)
  })

  test('signed out is out: cookie and header open nothing any more, and the browser forgets the cookie', async () => {
    const leaving = await signIn(kind, await credentials())
    const reply = await call('DELETE', `/${kind}/session`, with_(leaving))
    expect([reply.statusCode, reply.body, reply.cookies[0]?.value]).toEqual([204, '', ''])
    expect(reply.headers['clear-site-data']).toBe('"cache"')
    expect((await call('GET', url, with_(leaving))).statusCode).toBe(401)
    expect((await call('GET', `/${kind}/session`, { cookie: leaving.cookie })).statusCode).toBe(401)
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

  test('the cookie of one opens nothing at the other, nor /metrics, nor a new access token', async () => {
    const elsewhere = kind === 'console' ? '/api/users/me' : '/admin/users'
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
    http: { loopDelayMsMax: Number.POSITIVE_INFINITY },
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

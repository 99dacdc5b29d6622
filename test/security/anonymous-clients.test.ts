/** A client without a key: what they can ask for costs close to nothing, and nobody with a key notices them. */
import { randomBytes, randomUUID } from 'node:crypto'
import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { anonymousBounds } from '../../config/http-bounds.ts'
import { createFailureBucket } from '../../src/api/hooks/anonymous-clients.ts'
import { createPackedAsset, type Encoding } from '../../src/api/packed-asset.ts'
import type { Db, Queryable, Sql } from '../../src/db/db.ts'
import { freshAddress, type LoggedIn, newCustomer, operatorToken, useApi } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
let statements = 0
/** What the audit log gathers is written once a second, however many there were; no caller waits for it. */
const isAuditLog = (sql: Sql): boolean =>
  (typeof sql === 'string' ? sql : sql.text).includes('INSERT INTO access.audit')
/** The test database, counting what callers ask of it. */
const counted =
  (run: Queryable['query'] | Queryable['execute']) =>
  (...asked: Parameters<Queryable['query']>) => {
    if (!isAuditLog(asked[0])) statements++
    return run(...asked)
  }
const db = new Proxy({} as Db, {
  get: (_target, name: keyof Db) => {
    const real = database.db
    if (name === 'query' || name === 'execute') return counted(real[name])
    if (name === 'transaction') {
      return (work: Parameters<Db['transaction']>[0]) => {
        statements++
        return real.transaction(work)
      }
    }
    return real[name]
  },
})
const api = useApi(database, [], {
  get db() {
    return db
  },
  // Stands still: a slow machine must not fill a bucket again while a test empties it.
  bucketClock: () => 0,
})
let customer: LoggedIn
beforeAll(async () => {
  await fillRegisters(database.db)
  customer = await newCustomer(api, database, { plan: 'premium' })
})
beforeEach(() => {
  statements = 0
})

const scriptUrl = async () => `/docs/${/src="(js\/[^"]+)"/.exec((await api.get('/docs/')).body)?.[1]}`
const ask = (url: string, headers: Record<string, string>, remoteAddress = '10.0.0.1') =>
  api.app.inject({ url, headers, remoteAddress })
const details = () => api.get(`/api/company/details?cin=${known.cin}`, customer.token)

describe('the reference page', () => {
  test('fifty requests for its script compress it once per encoding, and every answer shares one buffer', async () => {
    const packings: Encoding[] = []
    const asset = createPackedAsset(Buffer.from('content'), 'text/plain', async (encoding, content) => {
      packings.push(encoding)
      return Buffer.from(content)
    })
    const sent: unknown[] = []
    const reply = new Proxy(
      {},
      {
        get: (_target, name) =>
          name === 'then'
            ? undefined
            : (body: unknown) => {
                if (name === 'send') sent.push(body)
                return reply
              },
      },
    )
    const asked = (encoding: string) =>
      asset.reply({ headers: { 'accept-encoding': encoding } } as never, reply as never)
    await Promise.all(Array.from({ length: 50 }, (_, n) => asked(n % 2 ? 'br' : 'gzip')))
    expect(packings.toSorted()).toEqual(['br', 'gzip'])
    expect(sent).toHaveLength(50)
    expect(new Set(sent).size).toBe(2)
  })

  test('no compressor runs for its script, its page or the document, however often they are asked for', async () => {
    const url = await scriptUrl()
    for (const encoding of ['br', 'gzip']) await ask(url, { 'accept-encoding': encoding })
    const spies = (
      ['createBrotliCompress', 'createGzip', 'brotliCompressSync', 'gzipSync', 'brotliCompress', 'gzip'] as const
    ).map((name) => vi.spyOn(zlib, name))
    for (let n = 0; n < 6; n++) {
      for (const path of [url, '/docs/', '/openapi.json']) {
        const reply = await ask(path, { 'accept-encoding': n % 2 ? 'br, gzip' : 'gzip', host: `name${n}.example` })
        expect([path, reply.statusCode, reply.headers['content-encoding'] !== undefined]).toEqual([path, 200, true])
      }
    }
    expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0, 0, 0])
    for (const spy of spies) spy.mockRestore()
  })

  test('its script is the same bytes in every packing, may be kept for ever, and is a 304 for who has it', async () => {
    const url = await scriptUrl()
    const plain = await ask(url, {})
    const br = await ask(url, { 'accept-encoding': 'br' })
    const gzip = await ask(url, { 'accept-encoding': 'gzip' })
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    const tags = [plain, br, gzip].map(({ headers }) => String(headers['etag']))
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
    for (const { headers } of [plain, br, gzip]) {
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
    }
    const again = await ask(url, { 'accept-encoding': 'br', 'if-none-match': `"other", ${tags[1]}` })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tags[1]])
    expect((await ask('/docs/', {})).headers['cache-control']).toBe('no-store, private')
    const unversioned = await ask('/docs/js/scalar.js', {})
    expect([unversioned.headers['cache-control'], unversioned.headers['etag']]).toEqual(['public, no-cache', tags[0]])
  })

  test('the document is the same packed and plain, whatever the reader calls the server, and is a 304 for who has it', async () => {
    for (const host of ['panji.example', '127.0.0.1:8080', 'x'.repeat(200), 'पंजी.example']) {
      const headers = { host: encodeURI(host) }
      const plain = await ask('/openapi.json', headers)
      const packed = await ask('/openapi.json', { ...headers, 'accept-encoding': 'gzip' })
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
      expect(plain.json().openapi).toBe('3.1.0')
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
      const tag = String(packed.headers['etag'])
      const again = await ask('/openapi.json', { ...headers, 'accept-encoding': 'gzip', 'if-none-match': tag })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(statements).toBe(0)
  })
})

describe('junk credentials', () => {
  const junkToken = () => randomBytes(32).toString('base64url')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = () =>
    `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: randomUUID() })}.${part({ iss: 'panji' })}.${randomBytes(64).toString('base64url')}`

  test('what cannot be a credential is refused everywhere without one statement', async () => {
    const remoteAddress = freshAddress()
    for (const token of ['x', 'a.b.c', 'x'.repeat(8_000), `${part({ alg: 'none' })}.${part({})}.`]) {
      expect((await ask('/api/users/me', { authorization: `Bearer ${token}` }, remoteAddress)).statusCode).toBe(401)
    }
    for (const token of ['x', 'short-of-sixteen', 'x'.repeat(8_000)].filter(({ length }) => length !== 16)) {
      for (const url of ['/admin/users', '/metrics']) {
        expect((await ask(url, { authorization: `Bearer ${token}` }, remoteAddress)).statusCode).toBe(401)
      }
    }
    for (const [url, payload] of [
      ['/api/auth/login', { api_key: 'panji_short' }],
      ['/api/auth/login', { api_key: `panji_${'!'.repeat(43)}` }],
      ['/api/auth/refresh-token', { refresh_token: 'x' }],
      ['/api/auth/refresh-token', { refresh_token: '!'.repeat(43) }],
    ] as const) {
      expect((await api.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode).toBe(401)
    }
    expect(statements).toBe(0)
  })

  test('four hundred well-formed guesses at once cost a few statements, and details are answered meanwhile', async () => {
    const remoteAddress = freshAddress()
    const flood = Array.from({ length: 400 }, (_, n) =>
      n % 2
        ? ask('/api/users/me', { authorization: `Bearer ${forged()}` }, remoteAddress)
        : api.app.inject({
            method: 'POST',
            url: '/api/auth/refresh-token',
            payload: { refresh_token: junkToken() },
            remoteAddress,
          }),
    )
    const answered = await details()
    expect(answered.statusCode).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(anonymousBounds.failuresMax)
    expect(statuses.filter((status) => status === 429)).toHaveLength(400 - anonymousBounds.failuresMax)
    // Asked together: a few batches, and the customer's own.
    expect(statements).toBeLessThan(40)
  })

  test('an address that has failed too often costs no statement at any sign-in, and right credentials still get in from it', async () => {
    const remoteAddress = freshAddress()
    const admin = (token: string) => ask('/admin/users', { authorization: `Bearer ${token}` }, remoteAddress)
    for (let n = 0; n < anonymousBounds.failuresMax; n++) await ask('/api/users/me', {}, remoteAddress)
    const added = { name: 'vera', role: 'viewer' }
    const stored = (await api.post('/admin/operators', operatorToken, added)).json<{ token: string }>().token
    statements = 0
    for (let n = 0; n < 50; n++) {
      const refused = await admin(junkToken())
      expect([refused.statusCode, refused.json().error_code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(statements).toBe(0)
    for (const token of [operatorToken, stored]) expect((await admin(token)).statusCode).toBe(200)
    const like = Array.from({ length: 200 }, () => admin(`panji_op_${junkToken()}`))
    expect((await admin(stored)).statusCode).toBe(200)
    expect(new Set((await Promise.all(like)).map(({ statusCode }) => statusCode))).toEqual(new Set([429]))
    expect(statements).toBeLessThan(20)
    expect((await ask('/api/users/me', { authorization: `Bearer ${customer.token}` }, remoteAddress)).statusCode).toBe(
      200,
    )
    const login = { method: 'POST', url: '/api/auth/login', remoteAddress } as const
    expect((await api.app.inject({ ...login, payload: { api_key: customer.apiKey } })).statusCode).toBe(200)
    const refresh = { method: 'POST', url: '/api/auth/refresh-token', remoteAddress } as const
    expect((await api.app.inject({ ...refresh, payload: { refresh_token: customer.refreshToken } })).statusCode).toBe(
      200,
    )
  })

  test('ten logins with what cannot be a key are followed by 429, and the right key still opens from there', async () => {
    const remoteAddress = freshAddress()
    const logIn = (api_key: string) =>
      api.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { api_key } })
    for (let n = 0; n < 10; n++) expect((await logIn(`wrong-${n}`)).statusCode).toBe(401)
    const refused = await logIn('wrong')
    expect([refused.statusCode, refused.json().error_code]).toEqual([429, 'LOGIN_THROTTLED'])
    expect((await logIn(customer.apiKey)).statusCode).toBe(200)
  })

  test('an address has one bucket however it is spelled: IPv4 inside IPv6, and all of a /64', () => {
    const bucket = createFailureBucket({ failuresMax: 1, failuresPerSecond: 1, addressesMax: 100 }, () => 0)
    bucket.charge('::ffff:10.1.2.3')
    bucket.charge('2001:db8:1:2::1')
    expect(bucket.isEmpty('10.1.2.3')).toBe(true)
    expect(bucket.isEmpty('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe(true)
    expect(bucket.isEmpty('2001:db8:1:3::1')).toBe(false)
  })

  test('the buckets of a million addresses are as many as are remembered, and fill again with time', () => {
    let nowMs = 0
    const bucket = createFailureBucket({ failuresMax: 2, failuresPerSecond: 1, addressesMax: 100 }, () => nowMs)
    expect([bucket.charge('10.0.0.1'), bucket.charge('10.0.0.1'), bucket.charge('10.0.0.1')]).toEqual([0, 0, 1])
    expect([bucket.isEmpty('10.0.0.1'), bucket.isEmpty('10.0.0.2')]).toEqual([true, false])
    nowMs = 1_000
    expect([bucket.charge('10.0.0.1'), bucket.charge('10.0.0.1')]).toEqual([0, 1])
    for (let n = 0; n < 1_000; n++) bucket.charge(`10.1.${n >> 8}.${n & 255}`)
    expect(bucket.isEmpty('10.0.0.1')).toBe(false)
  })
})

test('the body of a caller who is not known is not read, and that of a login only as far as a login goes', async () => {
  const read = vi.fn()
  const body = async function* () {
    read()
    yield 'x'.repeat(1_000_000)
  }
  const { Readable } = await import('node:stream')
  const reply = await api.app.inject({
    method: 'POST',
    url: '/api/orders/normal',
    headers: { 'content-type': 'application/json' },
    payload: Readable.from(body()),
  })
  expect([reply.statusCode, reply.json().error_code]).toEqual([401, 'UNAUTHENTICATED'])
  const long = { api_key: 'x'.repeat(20_000) }
  expect((await api.post('/api/auth/login', undefined, long)).statusCode).toBe(413)
})

import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { suspendAccount, unsuspendAccount } from '../../../src/access/accounts.ts'
import { revokeApiKey } from '../../../src/access/manage-keys.ts'
import { createKeyRing, rotateSigningKey } from '../../../src/access/signing-keys.ts'
import { createCustomer, freshAddress, logInCustomer, newCustomer, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { forgeToken } from '../../support/forged-token.ts'

const database = useTestDatabase()
let laterMs = 0
const api = useApi(database, [], { bucketClock: () => performance.now() + laterMs })

describe('login', () => {
  test('a key is exchanged for a nested token, in the shape of the specification', async () => {
    const customer = await createCustomer(database.db, { username: 'asha' })
    const reply = await api.post('/api/auth/login', undefined, { api_key: customer.apiKey })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      success: true,
      message: expect.any(String),
      user: { name: 'asha', userId: customer.accountId },
      token: { access_token: expect.any(String), refresh_token: expect.any(String), token_type: 'bearer' },
    })
    const me = await api.get('/api/users/me', reply.json().token.access_token)
    expect(me.json()).toEqual({
      user_id: customer.accountId,
      email: expect.stringContaining('@example.com'),
      username: 'asha',
      credit_balance: 0,
      owed: 0,
      api_usage: { detail_requests_today: 0, detail_daily_limit: 100 },
    })
  })

  test('keys have 43 base62 characters and neither they nor refresh tokens are stored', async () => {
    const customer = await newCustomer(api, database)
    expect(customer.apiKey).toMatch(/^panji_[0-9A-Za-z]{43}$/)
    const stored = await database.db.query<{ text: string }>(
      `SELECT k::text || s::text AS text FROM access.api_key k JOIN access.session s USING (api_key_id)
       WHERE k.account_id = $1`,
      [customer.accountId],
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]?.text).not.toContain(customer.apiKey.slice(12))
    expect(stored[0]?.text).not.toContain(customer.refreshToken)
  })

  test.each([
    [{}],
    [{ api_key: '' }],
    [{ api_key: ' \n' }],
    [{ api_key: 7 }],
    [{ email: 'a@b.c', password: 'x' }],
    [undefined],
  ])('a login without a proper api_key is a 400: %j', async (body) => {
    const reply = await api.post('/api/auth/login', undefined, body)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ detail: expect.any(String), error_code: 'BAD_REQUEST' })
  })

  test('a key that was pasted with a blank or a line end around it is that key', async () => {
    const { apiKey } = await newCustomer(api, database)
    const reply = await api.post('/api/auth/login', undefined, { api_key: ` ${apiKey}\n` })
    expect([reply.statusCode, reply.json().success]).toEqual([200, true])
  })

  test('an unknown key and a revoked key are both 401, and a revoked key ends its sessions', async () => {
    const address = freshAddress()
    const logIn = (apiKey: string) =>
      api.app.inject({ method: 'POST', url: '/api/auth/login', payload: { api_key: apiKey }, remoteAddress: address })
    expect((await logIn(`panji_${'x'.repeat(43)}`)).json()).toMatchObject({ error_code: 'INVALID_API_KEY' })
    const customer = await newCustomer(api, database)
    const [key] = await database.db.query<{ id: string }>(
      'SELECT api_key_id AS id FROM access.api_key WHERE account_id = $1',
      [customer.accountId],
    )
    await database.db.transaction((tx) => revokeApiKey(tx, customer.accountId, key?.id ?? ''))
    expect((await logIn(customer.apiKey)).statusCode).toBe(401)
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(401)
    const refresh = await api.post('/api/auth/refresh-token', undefined, { refresh_token: customer.refreshToken })
    expect(refresh.json()).toMatchObject({ error_code: 'INVALID_REFRESH_TOKEN' })
  })

  test('ten failures throttle the address with Retry-After, also when they come in parallel', async () => {
    const address = freshAddress()
    const logIn = (key: string) =>
      api.app.inject({ method: 'POST', url: '/api/auth/login', payload: { api_key: key }, remoteAddress: address })
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => logIn(`guess-${index}`)))
    expect(guesses.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20)
    const wrong = await logIn('guess')
    expect(wrong.json()).toMatchObject({ error_code: 'LOGIN_THROTTLED' })
    const seconds = Number(wrong.headers['retry-after'])
    expect(seconds).toBeGreaterThan(60)
    laterMs += seconds * 1_000
    expect((await logIn('guess')).statusCode).toBe(401)
    expect((await logIn('guess')).statusCode).toBe(429)
  })
})

describe('refresh', () => {
  test('a refresh token gives new access tokens of the same session, and stays', async () => {
    const customer = await newCustomer(api, database)
    const tokens = new Set([customer.token])
    for (let round = 0; round < 2; round++) {
      const reply = await api.post('/api/auth/refresh-token', undefined, { refresh_token: customer.refreshToken })
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).toEqual({ access_token: expect.any(String), token_type: 'bearer' })
      expect((await api.get('/api/users/me', reply.json().access_token)).statusCode).toBe(200)
      tokens.add(reply.json().access_token)
    }
    expect(tokens.size, 'each token differs, also within a second').toBe(3)
  })

  test('a refresh is a use of the key, and one that is refused is none', async () => {
    const customer = await newCustomer(api, database)
    const other = await newCustomer(api, database)
    const refresh = () => api.post('/api/auth/refresh-token', undefined, { refresh_token: customer.refreshToken })
    const daysUnused = async () => {
      const rows = await database.db.query<{ days: number }>(
        `SELECT floor(extract(epoch FROM now() - last_used_at) / 86400)::int AS days FROM access.api_key
         WHERE account_id = ANY ($1) ORDER BY account_id = $2 DESC`,
        [[customer.accountId, other.accountId], customer.accountId],
      )
      return rows.map(({ days }) => days)
    }
    await database.db.execute(`UPDATE access.api_key SET last_used_at = now() - interval '20 days'`)
    await database.db.transaction((tx) => suspendAccount(tx, customer.accountId))
    expect([(await refresh()).statusCode, await daysUnused()]).toEqual([403, [20, 20]])
    await database.db.transaction((tx) => unsuspendAccount(tx, customer.accountId))
    expect([(await refresh()).statusCode, await daysUnused()]).toEqual([401, [20, 20]])
    await database.db.execute('UPDATE access.session SET revoked_at = NULL WHERE account_id = $1', [customer.accountId])
    expect([(await refresh()).statusCode, await daysUnused()]).toEqual([200, [0, 20]])
  })

  test('a missing refresh token is 400, an unknown or expired one 401 with a detail', async () => {
    expect((await api.post('/api/auth/refresh-token', undefined, {})).statusCode).toBe(400)
    const unknown = await api.post('/api/auth/refresh-token', undefined, { refresh_token: 'nobody' })
    expect(unknown.statusCode).toBe(401)
    expect(unknown.json()).toMatchObject({ detail: expect.any(String), error_code: 'INVALID_REFRESH_TOKEN' })
    const customer = await newCustomer(api, database)
    await database.db.execute('UPDATE access.session SET expires_at = now() WHERE account_id = $1', [
      customer.accountId,
    ])
    const expired = await api.post('/api/auth/refresh-token', undefined, { refresh_token: customer.refreshToken })
    expect(expired.statusCode).toBe(401)
  })

  test('an access token is no refresh token and a refresh token no bearer', async () => {
    const customer = await newCustomer(api, database)
    expect((await api.post('/api/auth/refresh-token', undefined, { refresh_token: 'x'.repeat(201) })).statusCode).toBe(
      401,
    )
    expect((await api.get('/api/users/me', customer.refreshToken)).statusCode).toBe(401)
  })
})

describe('bearer', () => {
  test('a raw API key as bearer is a 401 that names the exchange', async () => {
    const { apiKey } = await createCustomer(database.db)
    const reply = await api.get('/api/users/me', apiKey)
    expect(reply.statusCode).toBe(401)
    expect(reply.json()).toMatchObject({
      error_code: 'API_KEY_AS_BEARER',
      detail: expect.stringContaining('POST /api/auth/login'),
    })
  })

  test('no token, an empty one, another scheme and rubbish are 401', async () => {
    expect((await api.get('/api/users/me')).json()).toMatchObject({ error_code: 'UNAUTHENTICATED' })
    for (const authorization of ['', 'Bearer', 'Bearer  ', 'Basic YTpi', 'Bearer a.b.c', 'Bearer ...', 'Bearer a b']) {
      const reply = await api.app.inject({ method: 'GET', url: '/api/users/me', headers: { authorization } })
      expect([authorization, reply.statusCode]).toEqual([authorization, 401])
    }
  })

  test('a token without the audience of the developer API is a 403', async () => {
    const { token } = await forgery(await newCustomer(api, database), { aud: 'web' })
    expect((await api.get('/api/users/me', token)).json()).toMatchObject({ error_code: 'WRONG_AUDIENCE' })
    const none = await forgery(await newCustomer(api, database), { aud: undefined })
    expect((await api.get('/api/users/me', none.token)).statusCode).toBe(403)
  })

  test('an expired token is a 401 that says so', async () => {
    const past = Math.floor(Date.now() / 1000) - 3601
    const { token } = await forgery(await newCustomer(api, database), { iat: past, exp: past + 3600 })
    expect((await api.get('/api/users/me', token)).json()).toMatchObject({ error_code: 'TOKEN_EXPIRED' })
  })

  test('a token from the future, of another issuer or of another type is refused', async () => {
    const customer = await newCustomer(api, database)
    const soon = Math.floor(Date.now() / 1000) + 600
    for (const each of [{ claims: { iat: soon, exp: soon + 3600 } }, { claims: { iss: 'other' } }, { typ: 'JWT' }]) {
      const { token } = await forgery(customer, each.claims ?? {}, each)
      expect((await api.get('/api/users/me', token)).statusCode).toBe(401)
    }
    const { token } = await forgery(customer, {})
    expect((await api.get('/api/users/me', token)).statusCode).toBe(200)
  })

  test('a token signed by another key, under our key id, is refused', async () => {
    const customer = await newCustomer(api, database)
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const { token } = await forgery(customer, {}, { privateKey })
    expect((await api.get('/api/users/me', token)).statusCode).toBe(401)
  })

  test('a token under the id of another key of ours, or of a path or a query, is refused', async () => {
    const customer = await newCustomer(api, database)
    const [before] = await database.db.query<{ kid: string }>(
      'SELECT kid FROM access.signing_key WHERE retired_at IS NULL',
    )
    await database.db.transaction((tx) => rotateSigningKey(tx, secretKey))
    for (const kid of [before?.kid, '../../etc/passwd', "' OR '1'='1", '', undefined, 7]) {
      const { token } = await forgery(customer, {}, { header: { kid } })
      expect([kid, (await api.get('/api/users/me', token)).statusCode]).toEqual([kid, 401])
    }
    // The new key's own id, so that the forgery above fails for its id alone.
    const [now] = await database.db.query<{ kid: string }>(
      'SELECT kid FROM access.signing_key WHERE retired_at IS NULL',
    )
    const { token } = await forgery(customer, {}, { header: { kid: now?.kid } })
    expect((await api.get('/api/users/me', token)).statusCode).toBe(200)
  })

  test('a key that the token itself brings is not believed', async () => {
    const customer = await newCustomer(api, database)
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const header = { jwk: await exportJWK(publicKey), kid: randomUUID() }
    const { token } = await forgery(customer, {}, { privateKey, header })
    expect((await api.get('/api/users/me', token)).statusCode).toBe(401)
  })

  test('alg none and an HMAC with the public key as secret are refused', async () => {
    const customer = await newCustomer(api, database)
    const [header = '', payload = ''] = customer.token.split('.')
    const unsigned = { ...decoded(header), alg: 'none' }
    expect((await api.get('/api/users/me', `${encoded(unsigned)}.${payload}.`)).statusCode).toBe(401)

    const [key] = await database.db.query<{ x: string }>(`SELECT public_jwk ->> 'x' AS x FROM access.signing_key`)
    const secret = await importJWK({ kty: 'oct', k: key?.x ?? '', alg: 'HS256' }, 'HS256')
    const hmac = await new SignJWT(decoded(payload))
      .setProtectedHeader({ ...decoded(header), alg: 'HS256' })
      .sign(secret)
    expect((await api.get('/api/users/me', hmac)).statusCode).toBe(401)
  })
})

describe('suspension', () => {
  test('a suspended account is refused at once, and its old sessions stay dead after it is unsuspended', async () => {
    const customer = await newCustomer(api, database)
    await database.db.transaction((tx) => suspendAccount(tx, customer.accountId))
    const refused = await api.get('/api/users/me', customer.token)
    expect([refused.statusCode, refused.json().error_code]).toEqual([403, 'ACCOUNT_SUSPENDED'])
    expect((await api.post('/api/auth/login', undefined, { api_key: customer.apiKey })).statusCode).toBe(403)
    const refresh = { refresh_token: customer.refreshToken }
    expect((await api.post('/api/auth/refresh-token', undefined, refresh)).statusCode).toBe(403)

    await database.db.transaction((tx) => unsuspendAccount(tx, customer.accountId))
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(401)
    expect((await api.post('/api/auth/refresh-token', undefined, refresh)).statusCode).toBe(401)
    const again = await logInCustomer(api, customer)
    expect((await api.get('/api/users/me', again.token)).statusCode).toBe(200)
  })
})

describe('signing keys', () => {
  test('rotation logs nobody out and new tokens carry the new key id', async () => {
    const customer = await newCustomer(api, database)
    const { kid } = await database.db.transaction((tx) => rotateSigningKey(tx, secretKey))
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(200)
    const renewed = await logInCustomer(api, customer)
    expect(decoded(renewed.token.split('.')[0] ?? '')).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid })
    expect((await api.get('/api/users/me', renewed.token)).statusCode).toBe(200)
  })

  test('a key that is withdrawn altogether takes its tokens with it', async () => {
    const customer = await newCustomer(api, database)
    await database.db.execute(`UPDATE access.signing_key SET retired_at = now() - interval '2 hours'`)
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(401)
    expect((await api.get('/api/users/me', (await logInCustomer(api, customer)).token)).statusCode).toBe(200)
  })

  test('processes that sign their first token at once agree on one key, stored encrypted', async () => {
    await database.db.execute('DELETE FROM access.signing_key')
    const keys = await Promise.all(Array.from({ length: 6 }, () => createKeyRing(secretKey).current(database.db)))
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    const [stored] = await database.db.query<{ bytes: Buffer }>(
      'SELECT private_encrypted AS bytes FROM access.signing_key',
    )
    expect(stored?.bytes.toString('latin1')).not.toContain('PRIVATE KEY')
  })
})

/** A token like ours, with claims, header or key replaced; without replacements it is a valid one. */
async function forgery(
  customer: { readonly token: string },
  ...forged: [claims: Record<string, unknown>, replaced?: Parameters<typeof forgeToken>[3]]
): Promise<{ token: string }> {
  return { token: await forgeToken(database.db, customer, ...forged) }
}

const decoded = (part: string): Record<string, string> => JSON.parse(Buffer.from(part, 'base64url').toString())
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

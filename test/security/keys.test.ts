/** Keys with names, scopes and an end: made, replaced and revoked over HTTP, and what a leaked one of few scopes cannot do. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createCustomer,
  freshAddress,
  type LoggedIn,
  logInCustomer,
  newCustomer,
  operatorToken,
  useApi,
} from '../support/api.ts'
import { addCredits, fillRegisters, known, orderBody } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { operationsOf } from '../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
beforeAll(() => fillRegisters(database.db))

interface Key {
  readonly key_id: string
  readonly prefix: string
  readonly api_key: string
  readonly scopes: string[]
  readonly expires_at: string | null
}
const remove = (url: string, token: string, payload?: object) =>
  api.app.inject({
    method: 'DELETE',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  })
const logIn = (apiKey: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { api_key: apiKey },
    remoteAddress: freshAddress(),
  })

async function makeKey(token: string, body: object): Promise<Key> {
  const reply = await api.post('/api/keys', token, body)
  expect([reply.statusCode, reply.json().detail]).toEqual([201, undefined])
  return reply.json<Key>()
}
const withScopes = async ({ accountId, token }: LoggedIn, scopes: string[]) =>
  logInCustomer(api, { accountId, apiKey: (await makeKey(token, { scopes })).api_key })
const listed = async (token: string) => (await api.get('/api/keys', token)).json<{ data: Key[] }>().data

describe('keys', () => {
  test('are made with name, scopes and end, shown once, and listed without themselves', async () => {
    const { token, apiKey } = await newCustomer(api, database)
    const made = await makeKey(token, { name: 'nightly export', scopes: ['read'], expires_at: '2090-01-31' })
    expect(made).toEqual({
      key_id: expect.any(String),
      prefix: made.api_key.slice(0, 10),
      api_key: expect.stringMatching(/^panji_[0-9A-Za-z]{43}$/),
      name: 'nightly export',
      scopes: ['read'],
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: '2090-02-01T00:00:00.000Z',
      revoked_at: null,
    })
    expect((await logIn(made.api_key)).statusCode).toBe(200)
    const reply = await api.get('/api/keys', token)
    expect(reply.body).not.toContain(made.api_key)
    expect(reply.body).not.toContain(apiKey)
    expect(reply.json().data).toEqual([
      { ...made, api_key: undefined, last_used_at: expect.stringMatching(/Z$/) },
      expect.objectContaining({ name: 'default', prefix: apiKey.slice(0, 10), scopes: ['read', 'order', 'deliver'] }),
    ])
  })

  test('that are revoked log in no more and end their sessions at once, and no others', async () => {
    const owner = await newCustomer(api, database)
    const leaked = await withScopes(owner, ['read', 'order', 'deliver'])
    const { prefix } = (await listed(owner.token)).find(({ prefix }) => leaked.apiKey.startsWith(prefix)) ?? {
      prefix: '',
    }
    expect((await api.get('/api/users/me', leaked.token)).statusCode).toBe(200)
    const revoked = await remove(`/api/keys/${prefix}`, owner.token)
    expect([revoked.statusCode, revoked.json()]).toEqual([
      200,
      expect.objectContaining({ prefix, revoked_at: expect.stringMatching(/Z$/), sessions_ended: 1 }),
    ])
    expect((await api.get('/api/users/me', leaked.token)).statusCode).toBe(401)
    const refresh = { refresh_token: leaked.refreshToken }
    expect((await api.post('/api/auth/refresh-token', undefined, refresh)).statusCode).toBe(401)
    expect((await logIn(leaked.apiKey)).statusCode).toBe(401)
    expect((await api.get('/api/users/me', owner.token)).statusCode).toBe(200)
    expect((await remove(`/api/keys/${prefix}`, owner.token)).json()).toMatchObject({
      revoked_at: revoked.json().revoked_at,
      sessions_ended: 0,
    })
  })

  test('that have come to their end log in no more, and their sessions end with them', async () => {
    const owner = await newCustomer(api, database)
    const key = await makeKey(owner.token, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    const session = await logInCustomer(api, { accountId: owner.accountId, apiKey: key.api_key })
    const later = `- interval '2 hours'`
    await database.db.execute(`UPDATE access.api_key SET expires_at = expires_at ${later} WHERE api_key_id = $1`, [
      key.key_id,
    ])
    await database.db.execute(`UPDATE access.session SET expires_at = expires_at ${later} WHERE api_key_id = $1`, [
      key.key_id,
    ])
    const refused = await logIn(key.api_key)
    expect([refused.statusCode, refused.json().error_code]).toEqual([401, 'INVALID_API_KEY'])
    expect((await api.get('/api/users/me', session.token)).statusCode).toBe(401)
    expect((await api.post('/api/keys', owner.token, { expires_at: '2020-01-01' })).statusCode).toBe(422)
  })

  test('are replaced with an overlap: the new one takes name and scopes, the old one gets an end, with its sessions', async () => {
    const owner = await newCustomer(api, database)
    const old = await makeKey(owner.token, { name: 'crm', scopes: ['read', 'deliver'] })
    const session = await logInCustomer(api, { accountId: owner.accountId, apiKey: old.api_key })
    const next = await makeKey(session.token, { replaces: old.prefix, overlap_hours: 48 })
    expect(next).toMatchObject({ name: 'crm', scopes: ['read', 'deliver'], expires_at: null })
    for (const key of [old, next]) expect((await logIn(key.api_key)).statusCode).toBe(200)
    const ended = (await listed(owner.token)).find(({ key_id }) => key_id === old.key_id)
    expect(Date.parse(ended?.expires_at ?? '') - Date.now()).toBeGreaterThan(47 * 3_600_000)
    const ends = await database.db.query<{ same: boolean }>(
      `SELECT bool_and(s.expires_at = k.expires_at) AS same FROM access.session s JOIN access.api_key k USING (api_key_id)
       WHERE api_key_id = $1`,
      [old.key_id],
    )
    expect(ends).toEqual([{ same: true }])
    await makeKey(owner.token, { replaces: next.key_id, overlap_hours: 0 })
    expect((await logIn(next.api_key)).statusCode).toBe(401)
  })

  test('of another account can be neither seen nor revoked nor replaced, and their number is bounded', async () => {
    const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
    const [key] = await listed(one.token)
    for (const name of [key?.prefix, key?.key_id]) {
      expect((await remove(`/api/keys/${name}`, other.token)).statusCode).toBe(404)
      expect((await api.post('/api/keys', other.token, { replaces: name })).statusCode).toBe(404)
    }
    const replies = await Promise.all(Array.from({ length: 30 }, () => api.post('/api/keys', one.token, {})))
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(24)
    expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(6)
  })

  test.each([
    { scopes: [] },
    { scopes: ['admin'] },
    { scopes: ['read', 'read'] },
    { expires_at: 'soon' },
    { name: '' },
    { is_admin: true },
  ])('are refused with a 400 where the wish is malformed: %j', async (body) => {
    const { token } = await newCustomer(api, database)
    expect((await api.post('/api/keys', token, body)).statusCode).toBe(400)
  })
})

describe('scopes', () => {
  test('each operation of the document that spends or erases refuses a key that may only read, and says what is missing', async () => {
    const owner = await newCustomer(api, database)
    const reader = await withScopes(owner, ['read'])
    const spending = {
      'POST /api/orders/normal': orderBody,
      'POST /api/orders/{id}/cancel': undefined,
      'POST /api/crm/newlead': { entity_type: 'gst', identifier: known.gstin },
      'POST /api/offers/{id}/activate': undefined,
      'DELETE /api/users/me/account': { confirm: 'a@example.com' },
    }
    const operations = await operationsOf(api)
    for (const [name, payload] of Object.entries(spending)) {
      const operation = operations.find((each) => each.name === name)
      if (!operation) throw new Error(`${name} is not in the document`)
      const reply = await api.app.inject({
        method: operation.method,
        url: operation.path.replace(/\{\w+\}/g, known.uuid),
        headers: { authorization: `Bearer ${reader.token}` },
        ...(payload ? { payload } : {}),
      })
      expect([name, reply.statusCode, reply.json().error_code]).toEqual([name, 403, 'SCOPE_MISSING'])
      expect(reply.json().missing_scopes).toContain('order')
      expect(reply.json().detail).toContain('order')
    }
    expect((await api.get('/api/orders', reader.token)).statusCode).toBe(200)
  })

  test('a key that may only order places an order and reads nothing, and its refused call uses no unit', async () => {
    const owner = await newCustomer(api, database)
    await addCredits(database.db, owner.accountId, 10)
    const orderer = await withScopes(owner, ['order'])
    expect((await api.post('/api/orders/normal', orderer.token, orderBody)).statusCode).toBe(201)
    const refused = await api.get(`/api/gst/details?gstin=${known.gstin}`, orderer.token)
    expect([refused.statusCode, refused.json().missing_scopes]).toEqual([403, ['read']])
    const me = (await api.get('/api/users/me', owner.token)).json()
    expect(me.api_usage.detail_requests_today).toBe(0)
    expect((await api.get('/api/auth/validate', orderer.token)).json().scopes).toEqual(['order'])
  })

  test('a key makes, replaces and revokes no key, and ends no session, that may do more than itself', async () => {
    const owner = await newCustomer(api, database)
    const reader = await withScopes(owner, ['read'])
    const [, full] = await listed(owner.token)
    for (const body of [{ scopes: ['read', 'order'] }, { scopes: ['deliver'] }, { replaces: full?.prefix }]) {
      const reply = await api.post('/api/keys', reader.token, body)
      expect([body, reply.statusCode, reply.json().error_code]).toEqual([body, 403, 'SCOPE_MISSING'])
    }
    expect((await remove(`/api/keys/${full?.prefix}`, reader.token)).json().error_code).toBe('SCOPE_MISSING')
    const sessions = (await api.get('/api/sessions', reader.token)).json<{
      data: { session_id: string; scopes: string[] }[]
    }>()
    const wider = sessions.data.find(({ scopes }) => scopes.length === 3)
    expect((await remove(`/api/sessions/${wider?.session_id}`, reader.token)).json().error_code).toBe('SCOPE_MISSING')
    expect((await makeKey(reader.token, {})).scopes).toEqual(['read'])
    expect((await api.get('/api/users/me', owner.token)).statusCode).toBe(200)
  })
})

describe('sessions', () => {
  test('are listed with key and address, end one by one, and logging out ends the own one alone', async () => {
    const owner = await newCustomer(api, database)
    const second = await logInCustomer(api, owner)
    const third = await logInCustomer(api, owner)
    const { data } = (await api.get('/api/sessions', owner.token)).json<{
      data: { session_id: string; current: boolean }[]
    }>()
    expect(data).toHaveLength(3)
    expect(data.at(-1)).toMatchObject({ current: true, opened_from: '10.0.0.1', key_prefix: owner.apiKey.slice(0, 10) })
    const ended = await remove(`/api/sessions/${data[0]?.session_id}`, owner.token)
    expect(ended.json()).toEqual({ session_id: data[0]?.session_id, ended: true })
    expect((await api.get('/api/users/me', third.token)).statusCode).toBe(401)
    expect((await api.post('/api/auth/logout', second.token)).statusCode).toBe(200)
    expect((await api.get('/api/users/me', second.token)).statusCode).toBe(401)
    const refresh = { refresh_token: second.refreshToken }
    expect((await api.post('/api/auth/refresh-token', undefined, refresh)).statusCode).toBe(401)
    expect((await api.get('/api/users/me', owner.token)).statusCode).toBe(200)
    const other = await newCustomer(api, database)
    for (const id of [data[2]?.session_id, 'nonsense'])
      expect((await remove(`/api/sessions/${id}`, other.token)).statusCode).toBe(404)
  })
})

describe('erasure', () => {
  const erase = (token: string, payload?: object) => remove('/api/users/me/account', token, payload)

  test('without the e-mail as confirmation says what to send, and erases nothing', async () => {
    const { token } = await newCustomer(api, database)
    for (const payload of [undefined, {}, { confirm: 'other@example.com' }]) {
      const reply = await erase(token, payload)
      expect([reply.statusCode, reply.json().error_code]).toEqual([400, 'CONFIRMATION_REQUIRED'])
      expect(reply.json().detail).toContain('{"confirm": "<e-mail of the account>"}')
    }
    const { email } = (await api.get('/api/users/me', token)).json()
    expect((await erase(token, { confirm: email.toUpperCase() })).statusCode).toBe(200)
  })

  test('asks for a key used within five minutes: a stolen session of before erases nothing', async () => {
    const owner = await newCustomer(api, database)
    const { email } = (await api.get('/api/users/me', owner.token)).json()
    await database.db.execute(
      `UPDATE access.session SET created_at = created_at - interval '5 minutes' WHERE account_id = $1`,
      [owner.accountId],
    )
    const refreshed = await api.post('/api/auth/refresh-token', undefined, { refresh_token: owner.refreshToken })
    for (const token of [owner.token, refreshed.json().access_token]) {
      const reply = await erase(token, { confirm: email })
      expect([reply.statusCode, reply.json().error_code]).toEqual([403, 'FRESH_LOGIN_REQUIRED'])
    }
    const fresh = await logInCustomer(api, owner)
    expect((await erase(fresh.token, { confirm: email })).statusCode).toBe(200)
  })
})

describe('operators', () => {
  test("make, list and revoke an account's keys, and the audit log names them", async () => {
    const { accountId } = await createCustomer(database.db)
    const path = `/admin/users/${accountId}/keys`
    const made = (await api.post(path, operatorToken, { name: 'support', scopes: ['read'] })).json<Key>()
    const { token } = await logInCustomer(api, { accountId, apiKey: made.api_key })
    expect((await api.get(path, operatorToken)).json().data).toHaveLength(2)
    expect((await remove(`${path}/${made.prefix}`, operatorToken)).json()).toMatchObject({ sessions_ended: 1 })
    expect((await api.get('/api/users/me', token)).statusCode).toBe(401)
    const { data } = (await api.get(`/admin/audit?subject=${accountId}`, operatorToken)).json()
    expect(data.slice(0, 2)).toMatchObject([
      { actor: 'operator:default', action: 'revoke api key' },
      { actor: 'operator:default', action: 'issue api key' },
    ])
    for (const id of ['nobody', known.uuid])
      expect((await api.get(`/admin/users/${id}/keys`, operatorToken)).statusCode).toBe(404)
  })
})

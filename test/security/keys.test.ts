/** Keys with names, scopes and an end: made, replaced and revoked over HTTP, and what a leaked one of few scopes cannot do. */

import { beforeAll, describe, expect, test } from 'vitest'
import { displayPrefixOf } from '../../src/access/api-keys.ts'
import { keyScopes } from '../../src/domain/key-scope.ts'
import { shownInstant } from '../../src/domain/shown-instant.ts'
import { keyText } from '../../src/notify/mails/key-mail.ts'
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
import { newPerson } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)
beforeAll(() => fillRegisters(database.db))

interface Key {
  readonly key_id: string
  readonly prefix: string
  readonly api_key: string
  readonly scopes: string[]
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly parent: string | null
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

/** What refusing a call may write itself: its row of the audit log, the counts of the minute, when key and session were used. */
const ofRefusals = [
  'access.audit',
  'access.audit_seal',
  'access.audit_proof',
  'access.minute_usage',
  'access.request_log',
  'access.session',
  'access.api_key',
]

/** Whatever any table holds, but what every call writes. */
async function everyRow(): Promise<unknown> {
  const tables = await database.db.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'pgboss') ORDER BY 1`,
  )
  const parts = tables
    .filter(({ name }) => !ofRefusals.includes(name))
    .map(
      ({ name }) => `SELECT '${name}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS rows FROM ${name} t`,
    )
  return database.db.query(`${parts.join(' UNION ALL ')} ORDER BY name`)
}

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
      expires_at: '2090-01-31T18:30:00.000Z',
      revoked_at: null,
      parent: apiKey.slice(0, 10),
      standing_order_id: null,
      made_by: null,
    })
    expect((await logIn(made.api_key)).statusCode).toBe(200)
    const reply = await api.get('/api/keys', token)
    expect(reply.body).not.toContain(made.api_key)
    expect(reply.body).not.toContain(apiKey)
    expect(reply.json().data).toEqual([
      { ...made, api_key: undefined, last_used_at: expect.stringMatching(/Z$/) },
      expect.objectContaining({
        name: 'default',
        prefix: apiKey.slice(0, 10),
        scopes: ['read', 'write', 'order', 'deliver', 'keys'],
      }),
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
    expect((await api.post('/api/keys', session.token, { replaces: old.prefix })).json().missing_scopes).toEqual([
      'keys',
    ])
    const next = await makeKey(owner.token, { replaces: old.prefix, overlap_hours: 48 })
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

  test('end no later than the key that made them, whatever is asked for, and a key that replaces itself gains no time', async () => {
    const owner = await newCustomer(api, database)
    const day = (n: number) => new Date(Date.UTC(2090, 0, n)).toISOString()
    const parent = await makeKey(owner.token, { scopes: ['read', 'keys'], expires_at: day(31) })
    const session = await logInCustomer(api, { accountId: owner.accountId, apiKey: parent.api_key })
    for (const expires_at of ['2090-01-31', day(32)]) {
      const reply = await api.post('/api/keys', session.token, { expires_at })
      expect([reply.statusCode, reply.json().detail]).toEqual([
        422,
        expect.stringContaining(shownInstant(new Date(day(31)))),
      ])
    }
    const [early, late] = [await makeKey(session.token, { expires_at: day(10) }), await makeKey(session.token, {})]
    expect([early, late].map((key) => [key.parent, key.expires_at, key.scopes])).toEqual([
      [parent.prefix, day(10), ['read']],
      [parent.prefix, day(31), ['read']],
    ])
    // The one that takes its place has its children; they end no later than it, and their sessions neither.
    const child = await logInCustomer(api, { accountId: owner.accountId, apiKey: late.api_key })
    const next = await makeKey(session.token, { replaces: parent.prefix, expires_at: day(20), overlap_hours: 1 })
    expect([next.parent, next.expires_at, next.scopes]).toEqual([parent.parent, day(20), ['read', 'keys']])
    const ends = new Map((await listed(owner.token)).map((key) => [key.key_id, [key.parent, key.expires_at]]))
    expect(ends.get(early.key_id)).toEqual([next.prefix, day(10)])
    expect(ends.get(late.key_id)).toEqual([next.prefix, day(20)])
    const soon = await makeKey(owner.token, { replaces: next.prefix, overlap_hours: 0, expires_at: day(1) })
    expect((await api.get('/api/users/me', child.token)).statusCode).toBe(200)
    expect((await remove(`/api/keys/${soon.prefix}`, owner.token)).json().children_revoked).toHaveLength(2)
    expect((await api.get('/api/users/me', child.token)).statusCode).toBe(401)
  })

  test('replace none that made them, directly or through others: such a key would end with itself', async () => {
    const owner = await newCustomer(api, database)
    const scopes = ['read', 'keys']
    const sessionOf = ({ api_key: apiKey }: Key) => logInCustomer(api, { accountId: owner.accountId, apiKey })
    const parent = await makeKey(owner.token, { scopes })
    const child = await makeKey((await sessionOf(parent)).token, { scopes })
    const grandchild = await makeKey((await sessionOf(child)).token, { scopes })
    const before = await listed(owner.token)
    for (const key of [child, grandchild]) {
      const { token } = await sessionOf(key)
      const refused = await api.post('/api/keys', token, { replaces: parent.prefix })
      expect([refused.statusCode, refused.json().detail]).toEqual([422, expect.stringContaining(parent.prefix)])
    }
    const rows = (keys: Key[]) => keys.map(({ key_id, parent, expires_at }) => [key_id, parent, expires_at])
    expect(rows(await listed(owner.token))).toEqual(rows(before))
    const sibling = await makeKey(owner.token, { scopes })
    expect((await makeKey((await sessionOf(sibling)).token, { replaces: parent.prefix })).parent).toBe(sibling.prefix)
  })

  test('are revoked with the key that made them, to the last, and no other key is', async () => {
    const owner = await newCustomer(api, database)
    const parent = await makeKey(owner.token, { scopes: ['read', 'keys'] })
    const made = await logInCustomer(api, { accountId: owner.accountId, apiKey: parent.api_key })
    const child = await makeKey(made.token, { scopes: ['read', 'keys'] })
    const childSession = await logInCustomer(api, { accountId: owner.accountId, apiKey: child.api_key })
    const grandchild = await makeKey(childSession.token, {})
    const other = await makeKey(owner.token, {})
    const before = await listed(owner.token)
    const revoked = await remove(`/api/keys/${parent.prefix}`, owner.token)
    expect(revoked.json()).toMatchObject({
      ...{ sessions_ended: 2, children_revoked: [child.prefix, grandchild.prefix].sort() },
    })
    const gone = [parent, child, grandchild].map(({ key_id }) => key_id)
    expect(await listed(owner.token)).toEqual(
      before.map((key) => (gone.includes(key.key_id) ? { ...key, revoked_at: expect.stringMatching(/Z$/) } : key)),
    )
    for (const key of [parent, child, grandchild]) expect((await logIn(key.api_key)).statusCode).toBe(401)
    expect((await api.get('/api/users/me', childSession.token)).statusCode).toBe(401)
    expect((await logIn(other.api_key)).statusCode).toBe(200)
    expect((await remove(`/api/keys/${parent.prefix}`, owner.token)).json()).toMatchObject({
      ...{ sessions_ended: 0, children_revoked: [] },
    })
  })

  test('are reported to their account by e-mail, whoever created them, and the e-mail does not contain the key', async () => {
    const owner = await newCustomer(api, database)
    const waiting = () =>
      database.db.query<{ type: string; data: Record<string, unknown> }>(
        'SELECT type, data FROM deliver.mail WHERE account_id = $1 ORDER BY created_at',
        [owner.accountId],
      )
    expect(await waiting()).toEqual([])
    const own = await makeKey(owner.token, { name: 'nightly\nexport', scopes: ['read'] })
    const [path, body] = [`/admin/users/${owner.accountId}/keys`, { name: 'support', scopes: ['read'] }]
    const given = (await api.post(path, operatorToken, body)).json<Key>()
    expect((await api.post('/api/keys', owner.token, { scopes: ['read'], expires_at: '2020-01-01' })).statusCode).toBe(
      422,
    )
    const mails = await waiting()
    expect(mails).toEqual([
      { type: 'key-made', data: expect.objectContaining({ prefix: own.prefix, made_by: owner.apiKey.slice(0, 10) }) },
      { type: 'key-made', data: expect.objectContaining({ prefix: given.prefix, made_by: null }) },
    ])
    const [first, second] = mails.map(({ data }) => keyText(data))
    expect(first?.text).toContain(`with the key ${owner.apiKey.slice(0, 10)}`)
    expect(first?.text).toContain('name: nightly export')
    expect(second?.text).toContain('by an operator')
    expect(first?.text).toContain('expires: never')
    await makeKey(owner.token, { scopes: ['read'], expires_at: '2090-01-31' })
    const dated = (await waiting()).at(-1)
    expect(keyText(dated?.data ?? {}).text).toContain('expires: 2090-02-01 00:00:00 IST')
    expect(JSON.stringify([mails, first, second])).not.toMatch(/panji_[0-9A-Za-z]{5}/)
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

  test('a key that may only read writes nothing: whatever else an operation of the document does, it is refused and changes no table', async () => {
    const owner = await newCustomer(api, database)
    const reader = await withScopes(owner, ['read'])
    // What ends a key or a session that may do no more than the caller's own, and each alone by its id.
    const narrowing = ['/api/keys/{prefix}', '/api/sessions/{id}', '/api/auth/logout', '/app/session']
    // What is a person's own no key has, whatever its scopes: person-factor.test.ts.
    const ofPeople = ['/api/second-factor', '/api/second-factor/confirm']
    const writing = (await operationsOf(api)).filter(
      (each) => each.guard === 'account' && !each['x-read-only'] && ![...narrowing, ...ofPeople].includes(each.path),
    )
    expect(writing.length).toBeGreaterThan(30)
    const before = await everyRow()
    const allowed = []
    for (const { name, method, path, requestBody } of writing) {
      const { example, examples } = requestBody?.content['application/json'] ?? {}
      const payload = example ?? Object.values((examples ?? {}) as Record<string, { value: object }>)[0]?.value
      const reply = await api.app.inject({
        method,
        url: path.replace(/\{\w+\}/g, known.uuid),
        headers: { authorization: `Bearer ${reader.token}` },
        ...(payload ? { payload: payload as object } : {}),
      })
      if (reply.statusCode !== 403 || reply.json().error_code !== 'SCOPE_MISSING') allowed.push(name)
      expect([name, await everyRow()]).toEqual([name, before])
    }
    expect(allowed).toEqual([])
  }, 120_000)

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
    const maker = await withScopes(owner, ['read', 'keys'])
    for (const body of [{ scopes: ['read', 'order'] }, { scopes: ['deliver'] }, { replaces: full?.prefix }]) {
      const reply = await api.post('/api/keys', maker.token, body)
      expect([body, reply.statusCode, reply.json().error_code]).toEqual([body, 403, 'SCOPE_MISSING'])
    }
    const refused = await api.post('/api/keys', reader.token, { scopes: ['read'] })
    expect([refused.statusCode, refused.json().missing_scopes]).toEqual([403, ['keys']])
    expect((await remove(`/api/keys/${full?.prefix}`, reader.token)).json().error_code).toBe('SCOPE_MISSING')
    const sessions = (await api.get('/api/sessions', reader.token)).json<{
      data: { session_id: string; scopes: string[] }[]
    }>()
    const wider = sessions.data.find(({ scopes }) => scopes.length === 5)
    expect((await remove(`/api/sessions/${wider?.session_id}`, reader.token)).json().error_code).toBe('SCOPE_MISSING')
    expect((await makeKey(maker.token, {})).scopes).toEqual(['read'])
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

  test('asks for a key or person that the account has had for a day: what was made with a stolen session erases nothing', async () => {
    const owner = await newCustomer(api, database)
    const { email } = (await api.get('/api/users/me', owner.token)).json()
    const age = (hours: number) =>
      database.db.execute(
        `WITH account AS (UPDATE access.account SET created_at = created_at - make_interval(hours => $2) WHERE account_id = $1),
              person AS (UPDATE access.person SET invited_at = invited_at - make_interval(hours => $2) WHERE account_id = $1)
         UPDATE access.api_key SET created_at = created_at - make_interval(hours => $2) WHERE account_id = $1`,
        [owner.accountId, hours],
      )
    await age(25)
    const { api_key: made } = (await api.post('/api/keys', owner.token, { scopes: keyScopes })).json<Key>()
    const { api_key: rotated } = (
      await api.post('/api/keys', owner.token, { replaces: displayPrefixOf(owner.apiKey) })
    ).json<Key>()
    const accomplice = await newPerson(api, database, owner.accountId, 'admin')
    const attempts = [
      ...[made, rotated].map((apiKey) => async () => {
        const { token } = await logInCustomer(api, { accountId: owner.accountId, apiKey })
        return erase(token, { confirm: email })
      }),
      () => accomplice.call('DELETE', '/api/users/me/account', { confirm: email }),
    ]
    for (const attempt of attempts) {
      const reply = await attempt()
      expect([reply.statusCode, reply.json().error_code]).toEqual([403, 'FRESH_LOGIN_REQUIRED'])
      expect(reply.json().detail).toContain('for a day')
    }
    const first = await logInCustomer(api, owner)
    expect((await erase(first.token, { confirm: 'other@example.com' })).statusCode).toBe(400)
    await age(24)
    const { token } = await logInCustomer(api, { accountId: owner.accountId, apiKey: made })
    expect((await erase(token, { confirm: email })).statusCode).toBe(200)
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

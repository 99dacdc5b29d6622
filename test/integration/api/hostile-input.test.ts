/**
 * What an attacker sends, into every field of every operation of the document: privileged members, SQL, other types,
 * NUL, huge texts, injected headers, tricks with paths. No fault, no leak, no slowdown, and nothing is changed by it.
 */
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { fillRegisters, known, openFeeds, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type ApiOperation, operationsOf, type Schema } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
let operations: ApiOperation[]
let customer: LoggedIn

beforeAll(async () => {
  await fillRegisters(database.db)
  operations = (await operationsOf(api)).filter(
    ({ name }) => name !== 'DELETE /api/users/me/account' && name !== 'POST /api/auth/logout',
  )
  customer = await newCustomer(api, database, { plan: 'free' })
  await openFeeds(database.db, customer.accountId)
})

/** Far above what any of these needs: slower is what the input made slow. */
const slowMs = 3_000

interface Sent {
  readonly query?: string
  readonly payload?: string | object | undefined
}
async function send(operation: ApiOperation, { query = '', payload }: Sent): Promise<LightMyRequestResponse> {
  const token = operation.guard === 'operator' ? operatorToken : customer.token
  const started = performance.now()
  const reply = await api.app.inject({
    method: operation.method,
    url: `${operation.path.replace(/\{[^}]+\}/g, known.uuid)}${query}`,
    remoteAddress: '10.0.0.1',
    headers: {
      ...(operation.guard === 'public' ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const took = performance.now() - started
  const what = `${operation.name}${query.slice(0, 200)} ${JSON.stringify(payload)?.slice(0, 300)}`
  expect([what, reply.statusCode < 500, took < slowMs]).toEqual([what, true, true])
  expect(reply.body).not.toMatch(/node_modules|pg_catalog|syntax error|at \w+ \(|ECONN|relation "/)
  expect(reply.body).not.toMatch(
    /described in the document of this API|expected \w+, received|received undefined|Unrecognized key/,
  )
  return reply
}

const exampleOf = ({ requestBody }: ApiOperation): Record<string, unknown> | undefined => {
  const example = requestBody?.content['application/json']?.example
  return typeof example === 'object' && example !== null ? { ...example } : undefined
}
const withBody = () =>
  operations.flatMap((each) =>
    each.requestBody?.content['application/json'] ? [{ ...each, example: exampleOf(each) ?? {} }] : [],
  )
const queriesOf = ({ parameters }: ApiOperation) => parameters.filter((each) => each.in === 'query')
const isNumber = (schema: Schema) => ['integer', 'number'].includes(String(schema['type']))

/** What none of it may change: rights, money, the registers. */
async function state(): Promise<unknown> {
  await resetLimits(database.db)
  return database.db.query(
    `SELECT plan, is_enterprise, suspended_at, email,
            (SELECT coalesce(sum(amount), 0) FROM ledger.entry e JOIN ledger.account l USING (ledger_account_id)
             WHERE l.owner_id = a.account_id) AS balance,
            (SELECT count(*) FROM access.account WHERE is_enterprise OR plan <> 'free') AS privileged,
            (SELECT count(*) FROM access.entitlement) AS entitlements,
            (SELECT count(*) FROM registry.company) AS companies, (SELECT count(*) FROM registry.gst_taxpayer) AS gst
     FROM access.account a WHERE account_id = $1`,
    [customer.accountId],
  )
}

test('members that nobody may set are refused, or change nothing', async () => {
  const before = await state()
  const privileged = {
    credits: 1_000_000,
    balance: 1_000_000,
    is_enterprise: true,
    plan: 'premium',
    account_id: known.uuid,
    user_id: known.uuid,
    payment_status: 'paid',
    total_amount: 0,
    suspended: false,
    role: 'operator',
    constructor: { prototype: { is_enterprise: true } },
  }
  const bodies = withBody()
  expect(bodies.length).toBeGreaterThan(12)
  for (const operation of bodies) {
    await send(operation, { payload: { ...operation.example, ...privileged } })
    for (const key of ['__proto__', 'constructor']) {
      const text = JSON.stringify({ ...operation.example, planted: 1 }).replace(
        '"planted":1',
        `"${key}":{"prototype":{"plan":"premium"}}`,
      )
      expect((await send(operation, { payload: text })).statusCode).toBeGreaterThanOrEqual(400)
    }
  }
  expect(({} as Record<string, unknown>)['plan']).toBeUndefined()
  expect(await state()).toEqual(before)
})

const fragments = [
  "' OR '1'='1",
  "'; DROP TABLE registry.company; --",
  "'||pg_sleep(5)||'",
  '1; SELECT pg_sleep(5)',
  '%%%%%%%%%%%%%%%%_____',
  '\\',
  '$1 $2::text',
  '{{7*7}}<script>',
]

test('SQL in every query parameter and every text of a body is data, and is answered as fast as any', async () => {
  const before = await state()
  for (const operation of operations) {
    for (const { name } of queriesOf(operation)) {
      for (const fragment of fragments) await send(operation, { query: `?${name}=${encodeURIComponent(fragment)}` })
    }
    await resetLimits(database.db)
  }
  for (const operation of withBody()) {
    const names = Object.keys(operation.example).filter((name) => typeof operation.example[name] === 'string')
    for (const name of names) {
      for (const fragment of fragments) await send(operation, { payload: { ...operation.example, [name]: fragment } })
    }
    await resetLimits(database.db)
  }
  // Named by their fragments, screeners and watchlists were made; rights, money and registers are as they were.
  expect(await state()).toEqual(before)
})

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

describe('other types than the document says', () => {
  test('query parameters as lists, objects and prototypes are a 400 or ignored, never a fault', async () => {
    for (const operation of operations) {
      for (const { name, schema } of queriesOf(operation)) {
        for (const query of [
          `?${name}[]=1`,
          `?${name}[a]=1`,
          `?${name}[__proto__]=1`,
          '?__proto__[a]=1',
          `?${name}=1&${name}=2`,
        ]) {
          await send(operation, { query })
        }
        if (!isNumber(schema)) continue
        for (const value of ['abc', '1e9', '-1', 'NaN', 'Infinity', '1.5', '99999999999999999999', ' ']) {
          expect([operation.name, value, (await send(operation, { query: `?${name}=${value}` })).statusCode]).toEqual([
            operation.name,
            value,
            400,
          ])
        }
      }
      await resetLimits(database.db)
    }
  })

  test('every member of a body as another type is a 400, numbers as text included', async () => {
    for (const operation of withBody()) {
      for (const [name, value] of Object.entries(operation.example)) {
        const others: unknown[] = [
          null,
          typeof value === 'boolean' ? 'true' : true,
          ...(isObject(value) ? [] : [{}, { a: 'x' }]),
          [[]],
          typeof value === 'number' ? String(value) : 7,
        ]
        for (const other of others) {
          // An empty list may be what a list is, and null what an optional member is, of a thing that there need not be.
          const reply = await send(operation, { payload: { ...operation.example, [name]: other } })
          // … which may leave out what another member does not tell.
          const allowed = other === null ? [200, 201, 400, 404, 422] : [400]
          expect([operation.name, name, other, allowed.includes(reply.statusCode)]).toEqual([
            operation.name,
            name,
            other,
            true,
          ])
        }
      }
      await resetLimits(database.db)
    }
  })

  test('a NUL in any text is a 400, also where it is written as an escape', async () => {
    for (const operation of operations) {
      for (const { name, schema } of queriesOf(operation)) {
        if (isNumber(schema)) continue
        const reply = await send(operation, { query: `?${name}=a%00b` })
        expect([operation.name, name, [400, 404, 422].includes(reply.statusCode)]).toEqual([operation.name, name, true])
      }
      await resetLimits(database.db)
    }
    for (const operation of withBody()) {
      const names = Object.keys(operation.example).filter((name) => typeof operation.example[name] === 'string')
      for (const name of names) {
        const reply = await send(operation, { payload: { ...operation.example, [name]: 'a\0b' } })
        expect([operation.name, name, reply.statusCode >= 400]).toEqual([operation.name, name, true])
      }
      await resetLimits(database.db)
    }
  })
})

test('half of a character, which only an escape can bring, is a 400 in any text and name of a body; a whole one is read', async () => {
  for (const operation of withBody()) {
    const names = Object.keys(operation.example).filter((name) => typeof operation.example[name] === 'string')
    for (const name of names) {
      const payload = JSON.stringify({ ...operation.example, [name]: 'a\uD800b' })
      expect(payload).toContain('\\ud800')
      expect([operation.name, name, (await send(operation, { payload })).statusCode]).toEqual([
        operation.name,
        name,
        400,
      ])
    }
    const named = JSON.stringify({ ...operation.example, 'a\uDC00': 1 })
    expect([operation.name, (await send(operation, { payload: named })).statusCode]).toEqual([operation.name, 400])
    await resetLimits(database.db)
  }
  const whole = await api.app.inject({
    method: 'POST',
    url: '/api/watchlist',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
    payload: '{"name": "\\ud83d\\ude00", "watchlist_type": "company", "entities": []}',
  })
  expect(whole.body).not.toContain('surrogate')
})

test('a body that names a member twice is a 400 that says which, whichever operation reads it, and changes nothing', async () => {
  const before = await state()
  for (const operation of withBody()) {
    const [name = 'credits', value = 1] = Object.entries(operation.example)[0] ?? []
    const member = `${JSON.stringify(name)}: ${JSON.stringify(value)}`
    const reply = await send(operation, { payload: `{${member}, ${member}}` })
    expect([operation.name, reply.statusCode, reply.json().detail]).toEqual([
      ...[operation.name, 400, `The body has "${name}" twice in one object. Send each member once.`],
    ])
    await resetLimits(database.db)
  }
  expect(await state()).toEqual(before)
})

test('bytes that are no UTF-8 are a 400 in any text of a body, and nothing of it is stored', async () => {
  const stored = () => database.db.query('SELECT name FROM access.watchlist ORDER BY 1')
  const before = await stored()
  for (const operation of withBody()) {
    const name = Object.keys(operation.example).find((each) => typeof operation.example[each] === 'string')
    if (name === undefined) continue
    const payload = Buffer.from(JSON.stringify({ ...operation.example, [name]: 'caf\u00e9' }), 'latin1')
    expect([operation.name, (await send(operation, { payload })).statusCode]).toEqual([operation.name, 400])
  }
  await resetLimits(database.db)
  expect(await stored()).toEqual(before)
})

test('texts of 10 MiB in a body, a query or a path are refused at once', async () => {
  const huge = 'x'.repeat(10 * 1_048_576)
  for (const operation of withBody()) {
    const reply = await send(operation, { payload: JSON.stringify({ ...operation.example, text: huge }) })
    expect([operation.name, reply.statusCode]).toEqual([operation.name, 413])
  }
  for (const url of [`/api/screener/screeners/${huge}`, `/api/company/company-filter?company=${huge}`, `/${huge}`]) {
    const started = performance.now()
    const reply = await api.app.inject({ url, headers: { authorization: `Bearer ${customer.token}` } })
    expect([400, 404, 414]).toContain(reply.statusCode)
    expect(reply.body.length).toBeLessThan(2_000)
    expect(performance.now() - started).toBeLessThan(slowMs)
  }
})

test('nothing that a caller sends becomes a header of the answer', async () => {
  const injected = 'x\r\nX-Injected: 1\r\nSet-Cookie: a=b'
  for (const [url, headers] of [
    [`/api/company/company-filter?company=${encodeURIComponent(injected)}`, {}],
    [`/api/orders/${encodeURIComponent(injected)}/export?format=csv`, {}],
    [`/${encodeURIComponent(injected)}`, {}],
    ['/api/users/me', { 'x-request-id': injected }],
    ['/api/users/me', { origin: injected }],
    ['/api/reference/hsn?code=09', { 'if-none-match': injected }],
  ] as const) {
    const reply = await api.app.inject({ url, headers: { ...headers, authorization: `Bearer ${customer.token}` } })
    expect(Object.keys(reply.headers)).not.toContain('x-injected')
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(JSON.stringify(reply.headers)).not.toContain('X-Injected')
  }
})

test.each([
  '/api/../admin/users',
  '/api/users/../../admin/users',
  '/api/%2e%2e/admin/users',
  '/api/..%2fadmin%2fusers',
  '/admin%2fusers',
  '/%61dmin/users',
  '//admin/users',
  '/admin//users',
  '/admin/users/',
  '/admin/users;a=b',
  '/ADMIN/users',
  '/api/users/me/..;/admin/users',
  '/api\\..\\admin\\users',
  '/admin/users%00',
  '/metrics/../admin/users',
  '/api/screener/screeners/..%2f..%2f..%2fusers%2fme',
])('the path %s opens nothing to an account', async (url) => {
  const reply = await api.app.inject({ url, headers: { authorization: `Bearer ${customer.token}` } })
  expect([400, 401, 404, 405]).toContain(reply.statusCode)
  expect(reply.body).not.toContain('@example.com')
  expect(reply.json()).toMatchObject({ detail: expect.any(String), error_code: expect.any(String) })
})

/** What a refused request is told: which member, what it must be, what came, and an example; never the validator's own words. */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshAddress, type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addExampleRecords, fillRegisters, known, openFeeds, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { figure } from '../../support/figures.ts'
import { operationsOf } from '../../support/openapi.ts'
import { requestFor } from '../../support/request-arbitrary.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn

beforeAll(async () => {
  await fillRegisters(database.db)
  await addExampleRecords(database.db)
  customer = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  await openFeeds(database.db, customer.accountId)
})

const get = async (url: string) => answerOf(await api.get(url, customer.token))
const post = async (url: string, body?: object) => answerOf(await api.post(url, customer.token, body))
const raw = async (url: string, payload: string, headers: object = {}) =>
  answerOf(
    await api.app.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress: freshAddress(),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.token}`, ...headers },
    }),
  )
const answerOf = (reply: { statusCode: number; json(): Record<string, unknown> }) => ({
  status: reply.statusCode,
  ...(reply.json() as { detail: string; parameter?: string; suggestion?: string }),
})

const ofTheValidator =
  /\b(expected|received|invalid_\w+|invalid input|NaN|undefined|too (small|big)|zod|unrecognized)\b/i

const requests = figure(800, 2_500)

test('random requests over all operations: no refusal speaks the words of the validator', {
  timeout: 120_000,
}, async () => {
  // Both would end the session that all requests are made in.
  const ending = ['DELETE /api/users/me/account', 'POST /api/auth/logout']
  const operations = (await operationsOf(api)).filter(({ name }) => !ending.includes(name))
  const arbitrary = fc.oneof(...operations.map((operation) => requestFor(operation, {})))
  const refused: Record<number, number> = {}
  for (const [index, { method, url, headers, body, operation }] of fc
    .sample(arbitrary, { numRuns: requests, seed: 20_261_121 })
    .entries()) {
    if (index % 500 === 0) await resetLimits(database.db)
    const token = { public: undefined, account: customer.token, operator: operatorToken }[operation.guard]
    const reply = await api.app.inject({
      method: method as 'GET',
      url,
      remoteAddress: freshAddress(),
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { payload: body }),
    })
    if (reply.statusCode !== 400 && reply.statusCode !== 422) continue
    refused[reply.statusCode] = (refused[reply.statusCode] ?? 0) + 1
    const { detail } = reply.json<{ detail: string }>()
    // What the caller wrote stands in quotes.
    expect(detail.replace(/"(?:[^"\\]|\\.)*"/g, '""'), `${method} ${url.slice(0, 200)}`).not.toMatch(ofTheValidator)
    expect(detail, `${method} ${url.slice(0, 200)}`).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
    expect(detail.length, detail).toBeLessThan(3_000)
    expect(detail).toMatch(/[.?]$/)
  }
  expect(refused[400]).toBeGreaterThan(requests / 15)
})

describe('a refusal names the member, what it must be, what came, and an example', () => {
  const item = { type: 'company', name: 'A', number: known.cin }
  const order = { orderName: 'One', paymentOption: 'credits', items: [item] }

  test.each<[string, object, string]>([
    ['/api/auth/login', {}, 'api_key is missing; it must be a text.'],
    ['/api/auth/login', { apikey: 'x' }, 'Unknown member "apikey"; did you mean api_key?'],
    ['/api/auth/login', { api_key: 5 }, 'api_key must be a text; a number came.'],
    [
      '/api/orders/normal',
      { ...order, items: [{ ...item, number: undefined }] },
      'items[0].number is missing; it must be a text of 1 to 40 characters. For example ',
    ],
    [
      '/api/orders/normal',
      { ...order, items: [item, { ...item, typ: 'x' }] },
      'Unknown member "items[1].typ"; did you mean type?',
    ],
    [
      '/api/orders/normal',
      { ...order, items: [{ ...item, type: 'firm' }] },
      'items[0].type must be one of "company", "director", "gst"; "firm" came.',
    ],
    ['/api/orders/normal', { ...order, items: 'all' }, 'items must be a list of 1 to 1,000 items; "all" came.'],
    ['/api/orders/normal', { ...order, items: [] }, 'items must be a list of 1 to 1,000 items; an empty list came.'],
    ['/api/orders/normal', { ...order, orderName: 'a\u001b[2J\0' }, '"a\\u001b[2J\\u0000" came'],
    [
      '/api/screener/search',
      { query: 'x', type: 'company', limit: '10' },
      'limit must be a whole number from 1 to 100; the text "10" came. For example 10.',
    ],
    [
      '/api/screener/search',
      { query: 'x', type: 'company', page: 1.5 },
      'page must be a whole number of at least 1; 1.5 came.',
    ],
    [
      '/api/screener/search',
      { query: null, type: 'company' },
      'query must be a text of at most 4,096 characters; null came.',
    ],
    ['/api/recently-registered/gst', { limit: 101 }, 'limit must be a whole number from 1 to 100; 101 came.'],
    ['/api/watchlist', { name: 'x'.repeat(300), watchlist_type: 'gst' }, '…" (300 characters) came.'],
    ['/app/session', { api_key: 5 }, 'api_key must be a text of 1 to 512 characters; a number came.'],
    ['/app/session', {}, 'The body must be an object with api_key, or with code; an empty object came.'],
    [
      '/app/session',
      { api_key: 'x', code: 'y' },
      'The body must be an object with api_key, or with code; an object with api_key, code came.',
    ],
    [
      `/api/crm/destinations/${known.uuid}/mapping/preview`,
      { fields: [{ field: 'Name', value: { constant: 5 } }] },
      'fields[0].value.constant must be a text of at most ',
    ],
  ])('%s %j: %s', async (url, body, detail) => {
    expect(await post(url, body)).toMatchObject({ status: 400, detail: expect.stringContaining(detail) })
  })

  test.each([
    ['/api/screener/screeners?limit=5', 'Unknown parameter "limit"'],
    ['/api/orders?limit=abc', 'limit must be a whole number from 1 to 100; "abc" came. For example limit=10.'],
    ['/api/orders?limit=', 'limit must be a whole number from 1 to 100; nothing came. For example limit=10.'],
    ['/api/orders?page=1&page=2', 'page must be a whole number from 1 to 1,00,000; it came 2 times.'],
    ['/api/orders?status=open', 'status must be one of "pending", '],
    ['/api/company/details', 'cin is missing; it must be a text. For example cin='],
    ['/api/company/director-filter?citizenOfIndia=maybe', 'citizenOfIndia must be Yes or No; "maybe" came.'],
  ])('GET %s: %s', async (url, detail) => {
    expect(await get(url)).toMatchObject({ status: 400, detail: expect.stringContaining(detail) })
  })

  test('a body that is missing, or is no object, is refused with an example', async () => {
    expect(await raw('/api/auth/login', '[]')).toMatchObject({
      status: 400,
      detail: expect.stringContaining('The body must be an object; an empty list came. For example {"api_key":'),
    })
    expect(await raw('/api/orders/normal', '')).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/^The body is missing; it must be an object\. For example \{"orderName":/),
    })
  })

  test('a body with a thousand faults is answered briefly', async () => {
    const reply = await post('/api/orders/normal', { ...order, items: Array.from({ length: 1_000 }, () => ({})) })
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply).length).toBeLessThan(8_000)
    expect(reply.detail).toMatch(/more faults\.$/)
  })

  test('keys and tokens never come back in a message', async () => {
    for (const body of [{ api_key: [`panji_${'k'.repeat(43)}`] }, { refresh_token: { a: 'k'.repeat(43) } }]) {
      for (const url of ['/api/auth/login', '/api/auth/refresh-token']) {
        const reply = await raw(url, JSON.stringify(body))
        expect([reply.status, JSON.stringify(reply).includes('kkkk')]).toEqual([400, false])
      }
    }
  })
})

describe('a body that is no JSON is told the line and the column', () => {
  test.each([
    ['{"api_key": "x",}', 1, 17],
    ['{\n  "api_key": tru\n}', 2, 14],
    ['{"api_key": "x"', 1, 16],
    ["{'api_key': 1}", 1, 2],
    ['{"a": 1}}', 1, 9],
    ['{"a": "line\nbreak"}', 1, 12],
    ['{"a": 01}', 1, 8],
    ['[1,\n2,\n,3]', 3, 1],
    ['nonsense', 1, 1],
    ['{"a": "\\x"}', 1, 8],
    ['\u001b', 1, 1],
  ])('%j: line %i, column %i', async (text, line, column) => {
    const reply = await raw('/api/auth/login', text)
    expect(reply).toMatchObject({ status: 400, line, column })
    expect(reply.detail).toContain(`line ${line}, column ${column}`)
    expect(reply.detail).not.toMatch(/Unexpected|SyntaxError|in JSON at/)
  })
})

describe('days have one convention', () => {
  const shape = ['01-05-2024', '2024-5-1', 'today', '2024-05-01T00:00:00Z', '']
  const unreal = ['2026-02-30', '2025-02-29', '2026-13-01', '0000-00-00', '1599-12-31']
  const places: [string, (day: string) => Promise<{ status: number; detail: string }>, string][] = [
    ...['companies', 'directors', 'gst'].flatMap((feed) =>
      ['from_date', 'to_date'].map(
        (name) =>
          [
            `${feed} ${name}`,
            (day: string) => post(`/api/recently-registered/${feed}`, { [name]: day }),
            name,
          ] as (typeof places)[number],
      ),
    ),
    ...['dateOfBirthFrom', 'dateOfBirthTo'].map(
      (name) =>
        [
          `director-filter ${name}`,
          (day: string) => get(`/api/company/director-filter?${name}=${encodeURIComponent(day)}`),
          name,
        ] as (typeof places)[number],
    ),
    ...[
      `/api/company/details?cin=${known.cin}`,
      `/api/gst/details?gstin=${known.gstin}`,
      `/api/company/director-details?din=${known.din}`,
    ].map(
      (url) =>
        [
          `${url} as_of`,
          (day: string) => get(`${url}&as_of=${encodeURIComponent(day)}`),
          'as_of',
        ] as (typeof places)[number],
    ),
  ]

  test.each(places)('%s: another shape is a 400, an impossible day a 422', async (_title, ask, name) => {
    for (const day of shape) {
      expect(await ask(day)).toMatchObject({
        status: 400,
        error_code: 'BAD_REQUEST',
        parameter: name,
        detail: expect.stringContaining(`${name} must be a day written YYYY-MM-DD`),
      })
    }
    for (const day of unreal) {
      expect(await ask(day)).toMatchObject({
        status: 422,
        error_code: 'UNPROCESSABLE',
        parameter: name,
        detail: expect.stringContaining(`"${day}"`),
      })
    }
  })
})

test('the end of a key and that of a grant keep the convention: another shape is a 400, an impossible day a 422', async () => {
  const granted = async (expires: string) =>
    answerOf(
      await api.app.inject({
        method: 'POST',
        url: `/admin/users/${customer.accountId}/grants`,
        headers: { authorization: `Bearer ${operatorToken}` },
        payload: { dataset: 'gst', expires_at: expires },
      }),
    )
  const keyed = (expires: string) => post('/api/keys', { expires_at: expires })
  for (const ask of [granted, keyed]) {
    for (const moment of ['x', '', '01-05-2027', '2027-05-01T25:00:00Z', '2027-05-01T10:00:00']) {
      expect(await ask(moment)).toMatchObject({
        status: 400,
        parameter: 'expires_at',
        detail: expect.stringMatching(/^expires_at must be a .*moment such as 2027-03-31T18:30:00Z; /),
      })
    }
    for (const moment of ['2027-02-30', '2027-02-30T00:00:00Z', '2027-13-01T10:00:00+05:30']) {
      expect(await ask(moment)).toMatchObject({
        status: 422,
        parameter: 'expires_at',
        detail: expect.stringContaining('must be a day of the calendar'),
      })
    }
  }
})

test('a refresh token of any length that nobody was given is a 401, and so is an API key', async () => {
  for (const length of [1, 43, 201, 5_000]) {
    const refresh = await raw('/api/auth/refresh-token', JSON.stringify({ refresh_token: 'x'.repeat(length) }))
    expect([refresh.status, length]).toEqual([401, length])
    const login = await raw('/api/auth/login', JSON.stringify({ api_key: 'x'.repeat(length) }))
    expect([login.status, length]).toEqual([401, length])
  }
})

test('a malformed GSTIN at newlead names identifier, and identifiers elsewhere the parameter that was used', async () => {
  expect(await post('/api/crm/newlead', { entity_type: 'gst', identifier: 'ABC' })).toMatchObject({
    status: 422,
    parameter: 'identifier',
    detail: expect.stringMatching(/^identifier "ABC" is not a GSTIN: .*15 characters/),
  })
  expect(await get('/api/company/details?cin=ABC')).toMatchObject({ status: 422, parameter: 'cin' })
  expect(await get('/api/gst/gst-filter?GSTIN=ABC')).toMatchObject({ status: 422, parameter: 'GSTIN' })
})

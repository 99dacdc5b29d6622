/**
 * What a call does not know is refused by name, on every operation of the served document: a parameter that is ignored
 * answers another question than the one asked.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshAddress, type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addExampleRecords, fillRegisters, known, openFeeds, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type ApiOperation, operationsOf } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
let operations: readonly ApiOperation[] = []

beforeAll(async () => {
  await fillRegisters(database.db)
  await addExampleRecords(database.db)
  // Probes and scrapers add what they like to the addresses that the operator gave them.
  operations = (await operationsOf(api)).filter(({ path }) => /^\/(api|admin)\//.test(path))
})

// The walks of one test alone are hundreds of calls, which is what an account may make in a minute.
beforeEach(async () => {
  customer = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  await openFeeds(database.db, customer.accountId)
})

const tokenOf = ({ guard }: ApiOperation) =>
  guard === 'public' ? undefined : guard === 'operator' ? operatorToken : customer.token

/** With the body that the document shows and ids that nothing has: the query is looked at first. */
async function call(operation: ApiOperation, query: string, body = exampleOf(operation)) {
  const token = tokenOf(operation)
  const reply = await api.app.inject({
    method: operation.method,
    url: `${operation.path
      .replace('{n}', '0')
      .replace('{entity}', 'company')
      .replace(/\{\w+\}/g, known.uuid)}?${query}`,
    remoteAddress: operation.guard === 'public' ? freshAddress() : '10.0.0.1',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: reply.statusCode, body: reply.json() }
}

function exampleOf({ requestBody }: ApiOperation): unknown {
  const content = requestBody?.content['application/json']
  const examples = content?.schema['examples']
  return content?.example ?? (Array.isArray(examples) ? examples[0] : undefined)
}

const queryNames = ({ parameters }: ApiOperation) =>
  parameters.filter((each) => each.in === 'query').map(({ name }) => name)

/** Slips of the keyboard: a letter left out, doubled, swapped, and the other way to join words. */
function slipsOf(name: string): string[] {
  const middle = Math.floor(name.length / 2)
  return [
    name.slice(0, -1),
    name.slice(0, middle) + name.charAt(middle) + name.slice(middle),
    name.slice(0, -2) + name.slice(-1) + name.slice(-2, -1),
    `${name}s`,
    `${name}[]`,
  ].filter((slip) => slip.toLowerCase() !== name.toLowerCase())
}

test('every operation refuses a parameter that it does not know, by name', async () => {
  expect(operations.length).toBeGreaterThan(40)
  for (const operation of operations) {
    const { status, body } = await call(operation, 'zzqx=1')
    expect({ name: operation.name, status, ...body }).toMatchObject({
      name: operation.name,
      status: 400,
      error_code: 'BAD_REQUEST',
      parameter: 'zzqx',
      detail: expect.stringContaining('Unknown parameter "zzqx"'),
    })
    for (const name of queryNames(operation)) expect(body.detail, operation.name).toContain(name)
  }
})

test('every misspelt parameter of every operation is answered with the one that was meant', async () => {
  for (const operation of operations) {
    // The walk makes more calls than one account has in a minute.
    await resetLimits(database.db)
    const names = queryNames(operation)
    for (const name of names) {
      for (const slip of slipsOf(name).filter((each) => !names.includes(each))) {
        const { status, body } = await call(operation, `${encodeURIComponent(slip)}=1`)
        expect({ name: operation.name, slip, status, ...body }).toMatchObject({
          name: operation.name,
          slip,
          status: 400,
          parameter: slip,
          suggestion: name,
          detail: expect.stringContaining(`did you mean ${name}?`),
        })
      }
    }
  }
})

test('a parameter of spaces or one that is given twice is refused on every operation, never passed over', async () => {
  // A file that is sent is asked for before its name.
  for (const operation of operations.filter(
    (each) => each.requestBody?.content['application/octet-stream'] === undefined,
  )) {
    await resetLimits(database.db)
    for (const { name, schema } of operation.parameters.filter((each) => each.in === 'query')) {
      const mayNotBeEmpty = schema['type'] === 'string' && Number(schema['minLength'] ?? 0) > 0
      for (const query of [`${name}=1&${name}=1`, ...(mayNotBeEmpty ? [`${name}=%20`, `${name}=%09%C2%A0`] : [])]) {
        const { status, body } = await call(operation, query)
        // An identifier of spaces is one that no register gives out.
        expect([400, 422], `${operation.name} ${query}`).toContain(status)
        expect(body.detail, operation.name).toContain(name)
      }
    }
  }
})

test.each([
  ['/api/company/company-filter?name=Infosys', 'company'],
  ['/api/company/company-filter?pageSize=5', 'limit'],
  ['/api/gst/gst-filter?name=Konkan', 'TradeName'],
  ['/api/company/director-filter?pincode=403001', 'postalCode'],
  ['/api/reference/hsn?q=tea', 'search'],
  ['/api/company/details?CIN=X', 'cin'],
  ['/api/company/details?cin=X&asOf=2025-01-01', 'as_of'],
  ['/api/company/details?cin=X&date=2025-01-01', 'as_of'],
])('%s asks for %s', async (url, suggestion) => {
  const reply = await api.get(url, customer.token)
  expect([reply.statusCode, reply.json().suggestion]).toEqual([400, suggestion])
})

test('a body member in the query is refused with the place where it belongs, and the other way round', async () => {
  const feed = await api.post('/api/recently-registered/gst?page=2', customer.token, {})
  expect([feed.statusCode, feed.json().detail]).toEqual([400, expect.stringContaining('page belongs in the body')])
  const saved = await api.post('/api/screener/screeners', customer.token, {
    name: 'One',
    type: 'company',
    query: "State == 'Goa'",
  })
  const run = `/api/screener/screeners/${saved.json().data.id}/run`
  const misplaced = await api.post(run, customer.token, { page: 2 })
  expect([misplaced.statusCode, misplaced.json().detail]).toEqual([
    400,
    expect.stringContaining('page belongs in the query'),
  ])
  for (const body of [undefined, {}]) expect((await api.post(run, customer.token, body)).statusCode).toBe(200)
})

test('an unknown name is shown bounded, with its control characters written out', async () => {
  const reply = await api.get(`/api/access?${encodeURIComponent(`\u001b[2J${'x'.repeat(5_000)}`)}=1`, customer.token)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().detail).toContain('\\u001b[2J')
  expect(reply.json().detail).not.toContain('\u001b')
  expect(reply.body.length).toBeLessThan(600)
})

test('HEAD is refused alike, a call without credentials stays a 401, and an unknown path a 404', async () => {
  const headers = { authorization: `Bearer ${customer.token}` }
  const head = await api.app.inject({ method: 'HEAD', url: '/api/reference/hsn?code=0902&x=1', headers })
  expect(head.statusCode).toBe(400)
  expect((await api.get('/api/access?x=1')).statusCode).toBe(401)
  expect((await api.get('/api/nothing-here?x=1', customer.token)).statusCode).toBe(404)
})

test('a refused call uses nothing of the daily limit', async () => {
  const free = await newCustomer(api, database)
  const left = async (url: string) => (await api.get(url, free.token)).headers['x-ratelimit-remaining']
  const before = Number(await left('/api/company/company-filter?limit=1'))
  await left('/api/company/company-filter?name=Infosys')
  expect(Number(await left('/api/company/company-filter?limit=1'))).toBe(before - 1)
})

describe('the filters take their names in both casings', () => {
  test.each([
    ['/api/company/company-filter', ['CIN', 'cin'], known.cin],
    ['/api/company/company-filter', ['company', 'Company', 'companyName', 'CompanyName', 'company_name'], 'Konkan'],
    ['/api/company/company-filter', ['state', 'State'], 'Goa'],
    ['/api/company/company-filter', ['city', 'City'], 'Panaji'],
    ['/api/gst/gst-filter', ['GSTIN', 'gstin'], known.gstin],
    ['/api/gst/gst-filter', ['TradeName', 'tradeName', 'trade_name'], 'Konkan'],
    ['/api/gst/gst-filter', ['State', 'state'], 'Goa'],
    ['/api/gst/gst-filter', ['Status', 'status'], 'Active'],
    ['/api/company/director-filter', ['din', 'DIN'], known.din],
    ['/api/company/director-filter', ['firstName', 'FirstName', 'first_name'], 'Asha'],
    ['/api/company/director-filter', ['state', 'State'], 'Goa'],
    ['/api/company/director-filter', ['postalCode', 'PostalCode'], '403001'],
  ])('%s: %s', async (path, names, value) => {
    const ask = (query: string) => api.get(`${path}?limit=100&${query}`, customer.token)
    const [first, ...others] = await Promise.all(names.map((name) => ask(`${name}=${encodeURIComponent(value)}`)))
    expect(first?.statusCode).toBe(200)
    for (const other of others) expect([other.statusCode, other.body]).toEqual([200, first?.body])
    expect(first?.body).not.toBe((await ask('')).body)

    const [one = '', another = ''] = names
    const twice = (second: string) =>
      ask(`${one}=${encodeURIComponent(value)}&${another}=${encodeURIComponent(second)}`)
    expect((await twice(value)).body).toBe(first?.body)
    const torn = await twice('another')
    expect([torn.statusCode, torn.json().detail]).toEqual([
      400,
      expect.stringMatching(new RegExp(`${one}.*${another}.*different values`)),
    ])
  })
})

test('every body refuses a member that it does not know, with the one that was meant', async () => {
  const withMembers = operations.filter((operation) => Object.keys((exampleOf(operation) ?? {}) as object).length > 0)
  expect(withMembers.length).toBeGreaterThan(12)
  for (const operation of withMembers) {
    const example = exampleOf(operation) as Record<string, unknown>
    const [name = ''] = Object.keys(example)
    const { [name]: value, ...rest } = example
    const slip = name.replace(/_?([a-z])$/, '$1$1')
    const { status, body } = await call(operation, '', { ...rest, [slip]: value })
    expect({ name: operation.name, status, ...body }).toMatchObject({
      name: operation.name,
      status: 400,
      parameter: slip,
      suggestion: name,
      detail: expect.stringContaining(`Unknown member "${slip}"; did you mean ${name}?`),
    })
  }
})

/** The rules, limits and errors of the specification, each named by its section; docs/contract.md maps line to test. */
import { beforeAll, describe, expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, orderBody, paidOrder } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
const get = (url: string) => api.get(url, customer.token)
const post = (url: string, body?: object) => api.post(url, customer.token, body)
const search = (query: string, more: object = {}) => post('/api/screener/search', { type: 'company', query, ...more })

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  customer = await newCustomer(api, database, { plan: 'premium' })
  await openFeeds(db, customer.accountId)
  await addCredits(db, customer.accountId, 100)
})

async function save(query: string, type = 'company'): Promise<string> {
  const reply = await post('/api/screener/screeners', { name: 'One', type, query })
  expect(reply.statusCode).toBe(201)
  return reply.json().data.id
}

describe('authentication', () => {
  test('Login result: token_type is always bearer and there is no top-level access_token', async () => {
    const login = (await api.post('/api/auth/login', undefined, { api_key: customer.apiKey })).json()
    expect(Object.keys(login).sort()).toEqual(['message', 'success', 'token', 'user'])
    expect(login.token.token_type).toBe('bearer')
  })

  test('Authentication 2: e-mail and password are no login, and a missing key is a 400', async () => {
    const password = await api.post('/api/auth/login', undefined, { email: 'a@example.in', password: 'x' })
    expect([password.statusCode, typeof password.json().detail]).toEqual([400, 'string'])
    expect((await api.post('/api/auth/login', undefined, {})).statusCode).toBe(400)
  })

  test('Authentication 7: the access statement says api_key', async () => {
    expect((await get('/api/access')).json().authenticated_via).toBe('api_key')
  })
})

describe('screener', () => {
  test('Screener: search answers page 1 of 10 unless told, and at most 100', async () => {
    const found = (await search("State == 'Goa'")).json()
    expect([found.results.length, found.page, found.total, found.pages]).toEqual([10, 1, 26, 3])
    expect((await search("State == 'Goa'", { limit: 100 })).json().results).toHaveLength(26)
    for (const wrong of [{ limit: 101 }, { limit: 0 }, { page: 0 }, { limit: '10' }]) {
      expect((await search("State == 'Goa'", wrong)).statusCode).toBe(400)
    }
  })

  test('Screener: query and type are required, and type is company or gst', async () => {
    for (const body of [
      { query: "State == 'Goa'" },
      { type: 'company' },
      { type: 'director', query: "State == 'Goa'" },
    ]) {
      expect((await post('/api/screener/search', body)).statusCode).toBe(400)
    }
  })

  test('Query language: text and number comparisons, IN lists and AND', async () => {
    const query = "State == 'Goa' AND paidUpCapital > 400000 AND NICCode IN [1110, 2220]"
    expect((await search(query)).json().results).toMatchObject([{ CIN: known.cin }])
    expect((await search('paidUpCapital > 500000')).json().total).toBe(0)
  })

  test('Query language: field names are case-sensitive', async () => {
    const reply = await search("state == 'Goa'")
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ error_code: 'QUERY_SYNTAX', position: 0 })
  })

  test('Run screener: page 1 and limit 10 unless told, at most 100', async () => {
    const id = await save("State == 'Goa'")
    const run = (await post(`/api/screener/screeners/${id}/run`)).json()
    expect([run.page, run.limit, run.data.length, run.total]).toEqual([1, 10, 10, 26])
    expect((await post(`/api/screener/screeners/${id}/run?limit=100`)).json().data).toHaveLength(26)
    expect((await post(`/api/screener/screeners/${id}/run?limit=101`)).statusCode).toBe(400)
  })

  test('Run screener: executed live against current data', async () => {
    const id = await save("City == 'Mapusa'")
    expect((await post(`/api/screener/screeners/${id}/run`)).json().total).toBe(0)
    await insertCompany(database.db, { cin: 'U85100GA2022PTC777777', name: 'New', city: 'Mapusa' })
    await raiseVersion(database.db, 'company')
    expect((await post(`/api/screener/screeners/${id}/run`)).json().total).toBe(1)
  })

  test("Run screener: run for the screener's own type", async () => {
    const id = await save("Status == 'Active'", 'gst')
    const run = (await post(`/api/screener/screeners/${id}/run`)).json()
    expect([run.screener.type, Object.keys(run.data[0])]).toEqual(['gst', expect.arrayContaining(['GSTIN'])])
  })

  test('Run screener: an unknown screener is a 404, a syntax error in the saved query a 422', async () => {
    expect((await post(`/api/screener/screeners/${known.uuid}/run`)).statusCode).toBe(404)
    const id = await save("State == 'Goa'")
    await database.db.execute("UPDATE access.screener SET query = 'State == ' WHERE screener_id = $1", [id])
    expect((await post(`/api/screener/screeners/${id}/run`)).statusCode).toBe(422)
  })

  test('Screener: saved screeners are listed and read one by one', async () => {
    const id = await save("State == 'Goa'")
    const { data } = (await get('/api/screener/screeners')).json()
    const one = (await get(`/api/screener/screeners/${id}`)).json().data
    expect(data).toContainEqual(one)
  })
})

describe('filters', () => {
  test.each([
    ['din', '00012345', '99999999'],
    ['firstName', 'Asha', 'Nobody'],
    ['lastName', 'Kamat', 'Nobody'],
    ['middleName', 'Ramesh', 'Nobody'],
    ['directorDisqualified', 'No', 'Yes'],
    ['gender', 'Female', 'Male'],
    ['residentOfIndia', 'Yes', 'No'],
    ['citizenOfIndia', 'Yes', 'No'],
    ['nationality', 'Indian', 'Nepalese'],
    ['dateOfBirthFrom', '1980-02-14', '1981-01-01'],
    ['dateOfBirthTo', '1980-02-14', '1979-12-31'],
    ['state', 'Goa', 'Kerala'],
    ['district', 'North Goa', 'South Goa'],
    ['country', 'India', 'Nepal'],
    ['postalCode', '403001', '403002'],
  ])('Director filter: %s is taken and narrows', async (name, hers, another) => {
    const found = async (value: string) => {
      const reply = await get(`/api/company/director-filter?limit=100&${name}=${encodeURIComponent(value)}`)
      return reply.json().results.map(({ DIN }: { DIN: string }) => DIN)
    }
    expect(await found(hers)).toContain(known.din)
    expect(await found(another)).not.toContain(known.din)
  })

  test('Director filter: page 1 and limit 10 unless told, at most 100', async () => {
    const found = (await get('/api/company/director-filter?state=Goa')).json()
    expect([found.page, found.limit, found.results.length, found.total_results]).toEqual([1, 10, 10, 26])
    expect((await get('/api/company/director-filter?limit=101')).statusCode).toBe(400)
  })

  test('Company filter: query parameters in, a JSON list out', async () => {
    const list = (await get('/api/company/company-filter?company=konkan%20petro&state=Goa')).json()
    expect(list).toMatchObject([{ CIN: known.cin }])
  })
})

describe('details', () => {
  test.each([
    ['/api/company/details', 'cin', known.cin],
    ['/api/gst/details', 'gstin', known.gstin],
    ['/api/company/director-details', 'din', known.din],
  ])('Limits 3: %s needs its identifier and carries the limit in headers and body alike', async (path, name, id) => {
    expect((await get(path)).statusCode).toBe(400)
    const { headers, body } = await get(`${path}?${name}=${id}`)
    const { limit, remaining, reset } = JSON.parse(body).rate_limit
    expect([limit, String(remaining), reset]).toEqual([
      1000,
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-reset'],
    ])
    expect(headers['x-ratelimit-limit']).toBe('1000')
    expect(new Date(reset).getTime() % 86_400_000).toBe(0)
  })

  test('Limits 1: the detail limit is shared by companies, directors and GST registrations', async () => {
    const left = async (url: string) => (await get(url)).json().rate_limit.remaining
    const before = await left(`/api/company/details?cin=${known.cin}`)
    expect(await left(`/api/gst/details?gstin=${known.gstin}`)).toBe(before - 1)
    expect(await left(`/api/company/director-details?din=${known.din}`)).toBe(before - 2)
  })
})

describe('feeds', () => {
  const goa = { state: 'Goa', district: 'North Goa,South Goa', pincode: '403001,403601', status: 'Active' }
  const known = {
    companies: { ...goa, search: 'konkan' },
    directors: { ...goa, status: 'Approved', search: 'kamat' },
    gst: { state: 'Maharashtra', district: 'Mumbai', pincode: '400020', status: 'Active', search: 'konkan' },
  } as const
  const feeds = ['companies', 'directors', 'gst'] as const

  test.each(feeds)(
    'Feeds: %s takes every field of the request, all optional, page 1 and limit 10 unless told',
    async (feed) => {
      const path = `/api/recently-registered/${feed}`
      const plain = (await post(path)).json()
      expect([plain.page, plain.limit, plain.data.length, plain.total]).toEqual([1, 10, 10, 26])
      const all = { ...known[feed], from_date: '2024-05-01', to_date: '2024-05-31' }
      const found = (await post(path, { ...all, page: 1, limit: 5 })).json()
      expect([found.total, found.data.length, found.limit]).toEqual([1, 1, 5])
      const other = { companies: 'Foreign LLP', directors: 'any', gst: 'HUF' }
      expect((await post(path, { business_type: other[feed] })).json().total).toBe(0)
      expect((await post(path, { from_date: '01-05-2024' })).statusCode).toBe(400)
    },
  )

  test.each(feeds)('Limits 10: a page of the feed of %s holds at most 100 records', async (feed) => {
    const path = `/api/recently-registered/${feed}`
    const whole = await post(path, { limit: 100 })
    expect([whole.statusCode, whole.json().limit, whole.json().data.length]).toEqual([200, 100, 26])
    const over = await post(path, { limit: 101 })
    expect([over.statusCode, over.json().error_code]).toEqual([400, 'BAD_REQUEST'])
    expect(over.json().detail).toContain('limit must be a whole number from 1 to 100; 101 came.')
  })

  test.each(feeds)(
    'Errors: %s without an entitlement is refused with error_code, dataset, message and reason',
    async (feed) => {
      const { token } = await newCustomer(api, database)
      const reply = await api.post(`/api/recently-registered/${feed}`, token, {})
      const names = { companies: 'company', directors: 'director', gst: 'gst' } as const
      expect(reply.statusCode).toBe(403)
      expect(reply.json()).toMatchObject({
        error_code: 'NO_DATASET_ACCESS',
        dataset: `recently_registered.${names[feed]}`,
        message: expect.any(String),
        reason: 'no_active_plan_grants_this_dataset',
        detail: expect.any(String),
      })
      const { enabled, reason, granted_by, date_window } = (await api.get('/api/access', token)).json().datasets
        .recently_registered[names[feed]]
      expect({ enabled, reason, granted_by, date_window }).toEqual({
        enabled: false,
        reason: 'no_active_plan_grants_this_dataset',
        granted_by: null,
        date_window: null,
      })
    },
  )
})

describe('orders', () => {
  test('Create order: name, payment option and items are required, types are company, director and gst', async () => {
    for (const missing of ['orderName', 'paymentOption', 'items']) {
      const body = Object.fromEntries(Object.entries(orderBody).filter(([name]) => name !== missing))
      expect((await post('/api/orders/normal', body)).statusCode).toBe(400)
    }
    const [item] = orderBody.items
    for (const missing of ['type', 'name', 'number']) {
      const items = [Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => name !== missing))]
      expect((await post('/api/orders/normal', { ...orderBody, items })).statusCode).toBe(400)
    }
    expect((await post('/api/orders/normal', orderBody)).statusCode).toBe(201)
  })

  test('Create order: fullcompany is not supported and the refusal says to order individually', async () => {
    const items = [{ type: 'fullcompany', name: 'Konkan', number: known.cin }]
    const reply = await post('/api/orders/normal', { ...orderBody, items })
    expect([reply.statusCode, reply.json().detail]).toEqual([400, expect.stringContaining('individually')])
  })

  test('Limits 7: each item costs a credit, and one without contact data brings it back', async () => {
    // What was bought lately would come without a charge.
    await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '40 days'`)
    const before = await creditBalance(database.db, customer.accountId)
    const items = [...orderBody.items, { type: 'company', name: 'Mandovi', number: known.llpin }]
    const reply = await post('/api/orders/normal', { ...orderBody, items })
    expect(reply.json()).toMatchObject({ total_amount: 4, items_count: 4, status: 'completed', payment_status: 'paid' })
    expect(await creditBalance(database.db, customer.accountId)).toBe(before - 3)
  })

  test('Order export: records carry directors and gst, and CSV is a file', async () => {
    const id = await paidOrder(database.db, api, customer)
    const { data } = (await get(`/api/orders/${id}/export`)).json()
    for (const record of data) expect(record).toMatchObject({ directors: expect.any(Array), gst: expect.any(Array) })
    const { headers } = await get(`/api/orders/${id}/export?format=csv`)
    expect(headers['content-type']).toContain('text/csv')
    expect(headers['content-disposition']).toContain('attachment')
    expect((await get(`/api/orders/${id}/export?format=xml`)).statusCode).toBe(400)
  })

  test('Flat leads 1 to 6: one row of scalars each, 36, 23 and 31 columns, contact columns filled, lists in one cell', async () => {
    const id = await paidOrder(database.db, api, customer)
    const { leads } = (await get(`/api/crm/orders/${id}/leads`)).json()
    expect(leads.map((row: object) => Object.keys(row).length)).toEqual([36, 23, 31])
    for (const [index, type] of (['company', 'director', 'gst'] as const).entries()) {
      expect(Object.keys(leads[index])).toEqual(leadColumns[type].map(({ name }) => name))
      expect(Object.values(leads[index]).every((cell) => cell === null || typeof cell !== 'object')).toBe(true)
      expect(leads[index]).toMatchObject({ Email: 'reach@example.in', Mobile: '+919812345678' })
    }
    expect(leads[2]).toMatchObject({ City: 'Mumbai', State: 'Maharashtra', HSNCodes: '0902;8471', SACCodes: '998313' })
    expect(leads[2].HSNDescriptions).toBe('Tea, whether or not flavoured|Data processing machines')
    expect(leads[2].SACDescriptions).toBe('Information technology consulting')
  })

  test('Flat leads 7: format=nested gives lead and full_data', async () => {
    const id = await paidOrder(database.db, api, customer)
    const { leads } = (await get(`/api/crm/orders/${id}/leads?format=nested`)).json()
    const names = ['CIN', 'City', 'Company', 'Email', 'Last_Name', 'Lead_Source', 'Phone', 'State']
    for (const { lead, full_data } of leads) {
      expect(Object.keys(lead).sort()).toEqual(names)
      expect(Object.keys(full_data).sort()).toEqual(['company', 'directors', 'gst'])
    }
  })

  test('New lead: gst only', async () => {
    const ordered = await post('/api/crm/newlead', { entity_type: 'gst', identifier: known.gstin })
    expect(ordered.statusCode).toBe(201)
    const refused = await post('/api/crm/newlead', { entity_type: 'company', identifier: known.cin })
    expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringContaining('must be gst')])
  })
})

describe('reference data', () => {
  test.each(['hsn', 'nic'])('Limits 5: %s gives 10 records unless told and 50 at most', async (kind) => {
    const found = async (query: string) => (await get(`/api/reference/${kind}?search=${query}`)).json().data.length
    const word = kind === 'hsn' ? 'tea' : 'cereals'
    expect([await found(word), await found(`${word}&limit=50`)]).toEqual([10, 50])
    expect((await get(`/api/reference/${kind}?search=tea&limit=51`)).statusCode).toBe(400)
  })

  test.each([
    ['hsn', '0902', '09'],
    ['nic', '01110', '011'],
  ])('Reference data: %s by exact or partial code; without code and search a 400', async (kind, exact, partial) => {
    for (const code of [exact, partial]) {
      const { data } = (await get(`/api/reference/${kind}?code=${code}`)).json()
      expect(data.length).toBeGreaterThan(0)
    }
    expect((await get(`/api/reference/${kind}`)).statusCode).toBe(400)
  })
})

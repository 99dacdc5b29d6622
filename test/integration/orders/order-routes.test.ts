import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { beforeAll, expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useOrderApi } from './api.ts'
import {
  cinOf,
  createAccount,
  gstinOf,
  insertCompany,
  insertContact,
  insertDirector,
  insertDirectorship,
  insertGst,
  insertRow,
} from './world.ts'

const database = useTestDatabase()
const api = useOrderApi(database)
const namesOf = (type: keyof typeof leadColumns) => leadColumns[type].map(({ name }) => name)
const gst = (serial: number) => ({ type: 'gst', name: `Taxpayer ${serial}`, number: gstinOf(serial) })
const order = (items: readonly object[], more: object = {}) => ({
  orderName: 'Pilot',
  paymentOption: 'credits',
  items,
  ...more,
})

beforeAll(async () => {
  const { db } = database
  for (const serial of [1, 2, 3]) {
    await insertGst(db, gstinOf(serial), { district: 'Pune', city: 'Hadapsar', state: 'Maharashtra', address: '=1+1' })
  }
  await insertContact(db, 'gst', gstinOf(1), { email: 'one@example.in' })
  await insertContact(db, 'gst', gstinOf(2), { mobile: '+919812345678' })
  await insertCompany(db, cinOf(1), {
    email: 'office@example.in',
    registered_address: '1 Main Road',
    pincode: '403001',
  })
  await insertDirector(db, '00012345', { address: '2 Side Road' })
  await insertDirectorship(db, cinOf(1), '00012345')
})

async function placed(accountId: string, items: readonly object[], name = 'Pilot'): Promise<string> {
  const answer = await api.post(accountId, '/api/orders/normal', order(items, { orderName: name }))
  expect(answer.statusCode).toBe(201)
  return answer.json()._id
}

/** An order that waits for an online payment, as a configured processor would leave it. */
async function pendingOrder(accountId: string): Promise<string> {
  const { db } = database
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
     VALUES ($1, 'Waiting', 'online', 'pending', 'pending', 1, 1) RETURNING order_id AS id`,
    [accountId],
  )
  const orderId = row?.id ?? ''
  await insertRow(db, 'orders.item', {
    order_id: orderId,
    position: 0,
    type: 'company',
    identifier: cinOf(1),
    name: 'C',
  })
  return orderId
}

test('a credits order of three GST items, one without contact data, costs two credits net and brings two flat rows of 31 columns', async () => {
  const accountId = await createAccount(database.db, 10)
  const answer = await api.post(accountId, '/api/orders/normal', order([gst(1), gst(3), gst(2)]))
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({
    _id: expect.any(String),
    orderName: 'Pilot',
    paymentOption: 'credits',
    total_amount: 3,
    status: 'completed',
    payment_status: 'paid',
    items_count: 3,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(await creditBalance(database.db, accountId)).toBe(8)

  const orderId = answer.json()._id
  const leads = await api.get(accountId, `/api/crm/orders/${orderId}/leads`)
  expect(leads.json()).toMatchObject({
    order_id: orderId,
    order_name: 'Pilot',
    payment_status: 'paid',
    status: 'completed',
    total: 2,
    leads: [
      { GSTIN: gstinOf(1), Email: 'one@example.in', City: 'Pune', State: 'Maharashtra', Lead_Source: 'Panji' },
      { GSTIN: gstinOf(2), Mobile: '+919812345678' },
    ],
  })
  for (const row of leads.json().leads) expect(Object.keys(row)).toEqual(namesOf('gst'))
  expect(namesOf('gst')).toHaveLength(31)

  const nested = await api.get(accountId, `/api/crm/orders/${orderId}/leads?format=nested`)
  expect(nested.json().leads[0]).toEqual({
    type: 'gst',
    identifier: gstinOf(1),
    name: `TAXPAYER ${gstinOf(1)}`,
    lead: {
      Last_Name: `TAXPAYER ${gstinOf(1)}`,
      Company: `TAXPAYER ${gstinOf(1)}`,
      Email: 'one@example.in',
      Phone: null,
      City: 'Pune',
      State: 'Maharashtra',
      Lead_Source: 'Panji',
      CIN: null,
    },
    full_data: {
      company: null,
      directors: [],
      gst: [
        expect.objectContaining({
          GSTIN: gstinOf(1),
          hsnCodes: [],
          person: null,
          contacts: [expect.objectContaining({ kind: 'email', value: 'one@example.in', day: '2026-06-01' })],
          website: null,
        }),
      ],
    },
  })
})

test('an order of all three types exports as JSON with nested arrays and as CSV with the columns of its types', async () => {
  const accountId = await createAccount(database.db, 10)
  await insertContact(database.db, 'director', '00012345', { phone: '0832-2222222' })
  const orderId = await placed(accountId, [
    gst(2),
    { type: 'company', name: 'C', number: cinOf(1) },
    { type: 'director', name: 'D', number: '00012345' },
  ])
  const json = await api.get(accountId, `/api/orders/${orderId}/export`)
  expect(json.json()).toEqual({
    order_id: orderId,
    data: [
      expect.objectContaining({ type: 'gst', GSTIN: gstinOf(2), directors: [], gst: [] }),
      expect.objectContaining({
        type: 'company',
        CIN: cinOf(1),
        contact: { email: 'office@example.in', mobile: null, phone: null, website: null },
        directors: [expect.objectContaining({ DIN: '00012345', Designation: 'Director' })],
        gst: [],
      }),
      expect.objectContaining({ type: 'director', DIN: '00012345', directors: [], gst: [] }),
    ],
  })

  const csv = await api.get(accountId, `/api/orders/${orderId}/export?format=csv`)
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.headers['content-disposition']).toBe(`attachment; filename="order-${orderId}.csv"`)
  const [header = [], ...rows] = parse(csv.body) as string[][]
  expect(header).toEqual([...new Set([...namesOf('company'), ...namesOf('director'), ...namesOf('gst')])])
  expect(rows.map((row) => row[header.indexOf('Mobile')])).toEqual(['+919812345678', '', '+918322222222'])
  expect(rows[0]?.[header.indexOf('Street')]).toBe(`'=1+1`)
})

test('the CSV of an order of one type has exactly its columns, also when no item could be delivered', async () => {
  const accountId = await createAccount(database.db, 1)
  const orderId = await placed(accountId, [gst(3)])
  const csv = await api.get(accountId, `/api/orders/${orderId}/export?format=csv`)
  expect(parse(csv.body)).toEqual([namesOf('gst')])
  expect(await creditBalance(database.db, accountId)).toBe(1)
})

test('a record is priced, ordered and watched under the whole name that its register has, however long', async () => {
  const accountId = await createAccount(database.db, 1)
  const name = `${'Sri '.repeat(300)}Traders`
  const items = [{ ...gst(1), name }]
  expect((await api.post(accountId, '/api/orders/quote', { items })).statusCode).toBe(200)
  expect((await api.post(accountId, '/api/orders/normal', order(items))).statusCode).toBe(201)
  const entities = [{ identifier: gstinOf(1), name }]
  const list = { name: 'Long names', watchlist_type: 'gst', entities }
  expect((await api.post(accountId, '/api/watchlist', list)).statusCode).toBe(201)
})

test.each([
  [1, 2, 'It costs 2 credits, and 1 can be spent on it. Nothing was written.'],
  [0, 1, 'It costs 1 credit, and 0 can be spent on it. Nothing was written.'],
])(
  'with %i credits an order of %i is a 400 with INSUFFICIENT_CREDITS, whose sentence says what is lacking',
  async (balance, required, detail) => {
    const accountId = await createAccount(database.db, balance)
    const answer = await api.post(accountId, '/api/orders/normal', order([gst(1), gst(2)].slice(0, required)))
    const { error_code: code, ...told } = answer.json()
    expect([answer.statusCode, code]).toEqual([400, 'INSUFFICIENT_CREDITS'])
    expect(told).toMatchObject({ detail, required, balance })
    expect((await api.get(accountId, '/api/orders')).json()).toEqual({ data: [], total: 0, page: 1, limit: 10 })
  },
)

test.each<[string, object, number, RegExp]>([
  ['fullcompany', order([{ type: 'fullcompany', name: 'X', number: cinOf(1) }]), 400, /individually/],
  ['an unknown type', order([{ type: 'llp', name: 'X', number: 'AAC-3965' }]), 400, /company/],
  ['no items', order([]), 400, /./],
  ['1,001 items', order(Array.from({ length: 1001 }, (_, serial) => gst(serial))), 400, /./],
  ['a privileged property', order([gst(1)], { total_amount: 0 }), 400, /total_amount/],
  [
    'a number instead of a text',
    order([{ type: 'director', name: 'X', number: 12345 }]),
    400,
    /items\[0\]\.number must be a text/,
  ],
  ['NUL in the name', order([gst(1)], { orderName: 'a\0b' }), 400, /NUL/],
  ['an online payment', order([gst(1)], { paymentOption: 'online' }), 400, /processor/],
  ['a wrong check digit', order([{ ...gst(1), number: '27AABCU9603R1ZM' }]), 422, /should be N/],
  ['a duplicate', order([gst(1), gst(1)]), 422, /items 0, 1/],
  ['an unknown GSTIN', order([gst(99)]), 404, /items\[0\]/],
])('an order with %s is refused with a detail that says why', async (_, body, status, detail) => {
  const accountId = await createAccount(database.db, 5)
  const answer = await api.post(accountId, '/api/orders/normal', body)
  expect(answer.statusCode).toBe(status)
  expect(answer.json().detail).toMatch(detail)
  expect(await creditBalance(database.db, accountId)).toBe(5)
})

test('orders are listed newest first, by page, status, name, item and identifier', async () => {
  const accountId = await createAccount(database.db, 10)
  const first = await placed(accountId, [gst(1)], 'Alpha 100%')
  const second = await placed(accountId, [gst(2)], 'Beta')
  const waiting = await pendingOrder(accountId)
  const idsAt = async (query: string) => {
    const page = (await api.get(accountId, `/api/orders?${query}`)).json()
    return { ids: page.data.map((each: { _id: string }) => each._id), total: page.total }
  }
  expect(await idsAt('')).toEqual({ ids: [waiting, second, first], total: 3 })
  expect(await idsAt('limit=1&page=2')).toEqual({ ids: [second], total: 3 })
  expect(await idsAt('status=pending')).toEqual({ ids: [waiting], total: 1 })
  expect(await idsAt('search=alpha')).toEqual({ ids: [first], total: 1 })
  expect(await idsAt('search=100%25')).toEqual({ ids: [first], total: 1 })
  expect(await idsAt('search=_')).toEqual({ ids: [], total: 0 })
  expect(await idsAt('search=taxpayer%202')).toEqual({ ids: [second], total: 1 })
  expect(await idsAt(`search=${gstinOf(2).toLowerCase()}`)).toEqual({ ids: [second], total: 1 })
  for (const query of ['limit=101', 'page=0', 'status=open', 'page=x']) {
    expect((await api.get(accountId, `/api/orders?${query}`)).statusCode).toBe(400)
  }
})

test('orders are found by an identifier in any spelling in which it may be ordered', async () => {
  const accountId = await createAccount(database.db, 10)
  const director = await placed(accountId, [{ type: 'director', name: 'D', number: '12345' }])
  const company = await placed(accountId, [{ type: 'company', name: 'C', number: cinOf(1) }])
  const found = async (path: string, search: string) =>
    (await api.get(accountId, `${path}?search=${encodeURIComponent(search)}`)).json().data
  const spellings = [
    ['12345', director],
    ['00012345', director],
    [cinOf(1).toLowerCase(), company],
    [` ${cinOf(1).slice(0, 6)} ${cinOf(1).slice(6)}`, company],
  ] as const
  for (const [search, orderId] of spellings) {
    expect(await found('/api/orders', search)).toMatchObject([{ _id: orderId }])
    expect(await found('/api/crm/orders', search)).toMatchObject([{ order_id: orderId }])
  }
})

test('one order shows its items and which credit came back', async () => {
  const accountId = await createAccount(database.db, 10)
  const orderId = await placed(accountId, [gst(1), gst(3)])
  expect((await api.get(accountId, `/api/orders/${orderId}`)).json()).toMatchObject({
    _id: orderId,
    total_amount: 2,
    refunded_amount: 1,
    items: [
      { type: 'gst', number: gstinOf(1), has_contact: true, refunded: false },
      { type: 'gst', number: gstinOf(3), has_contact: false, refunded: true },
    ],
  })
})

test('a pending order can be cancelled once, a paid one cannot', async () => {
  const accountId = await createAccount(database.db, 10)
  const [waiting, paid] = [await pendingOrder(accountId), await placed(accountId, [gst(1)])]
  const cancelled = await api.post(accountId, `/api/orders/${waiting}/cancel`)
  expect(cancelled.json()).toMatchObject({ _id: waiting, status: 'cancelled', payment_status: 'cancelled' })
  for (const orderId of [waiting, paid]) {
    expect((await api.post(accountId, `/api/orders/${orderId}/cancel`)).statusCode).toBe(409)
  }
  const shown = (await api.get(accountId, `/api/crm/orders/${waiting}/leads`)).json()
  expect(shown).toMatchObject({ leads: [{ CIN: cinOf(1), Company: 'C', Email: null, Street: null }], total: 1 })
})

test('an order that is not paid shows its rows without contact and address columns, in every format', async () => {
  const accountId = await createAccount(database.db)
  const orderId = await pendingOrder(accountId)
  const answers = await Promise.all(
    ['crm/orders/ID/leads', 'crm/orders/ID/leads?format=nested', 'orders/ID/export', 'orders/ID/export?format=csv'].map(
      (path) => api.get(accountId, `/api/${path.replace('ID', orderId)}`),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  for (const { body } of answers) {
    expect(body).toContain(cinOf(1))
    expect(body).not.toMatch(/office@example\.in|Main Road|403001/)
  }
  expect(answers[0]?.json()).toMatchObject({ payment_status: 'pending', total: 1 })
  expect(await database.db.query('SELECT FROM orders.lead WHERE order_id = $1', [orderId])).toEqual([])
})

test("another account's order does not exist, whatever is asked of it", async () => {
  const [owner, stranger] = [await createAccount(database.db, 10), await createAccount(database.db, 10)]
  const orderId = await placed(owner, [gst(1)])
  const waiting = await pendingOrder(owner)
  const asked = await Promise.all([
    ...[orderId, waiting, 'no-such-order', '00000000-0000-0000-0000-000000000000'].flatMap((id) => [
      api.get(stranger, `/api/orders/${id}`),
      api.get(stranger, `/api/orders/${id}/export`),
      api.get(stranger, `/api/orders/${id}/export?format=csv`),
      api.get(stranger, `/api/crm/orders/${id}/leads`),
      api.post(stranger, `/api/orders/${id}/cancel`),
    ]),
  ])
  expect(asked.map(({ statusCode }) => statusCode)).toEqual(asked.map(() => 404))
  expect((await api.get(stranger, '/api/orders')).json().total).toBe(0)
  expect((await api.get(owner, `/api/orders/${waiting}`)).json().status).toBe('pending')
})

test('a new lead of a GST registration costs a credit and comes back at once, or costs nothing', async () => {
  const accountId = await createAccount(database.db, 3)
  const post = (body: object) => api.post(accountId, '/api/crm/newlead', body)
  const reached = await post({ entity_type: 'gst', identifier: gstinOf(1).toLowerCase() })
  expect(reached.statusCode).toBe(201)
  expect(Object.keys(reached.json().lead)).toEqual(namesOf('gst'))
  expect(reached.json()).toMatchObject({ payment_status: 'paid', lead: { Email: 'one@example.in' } })
  const nested = await api.post(accountId, '/api/crm/newlead?format=nested', {
    entity_type: 'gst',
    identifier: gstinOf(2),
  })
  expect(nested.json().lead).toMatchObject({
    type: 'gst',
    identifier: gstinOf(2),
    lead: { Lead_Source: 'Panji', Phone: '+919812345678' },
    full_data: {
      gst: [{ GSTIN: gstinOf(2), contacts: [{ kind: 'mobile', value: '+919812345678', day: '2026-06-01' }] }],
    },
  })
  expect((await post({ entity_type: 'gst', identifier: gstinOf(3) })).json().lead).toBeNull()
  expect(await creditBalance(database.db, accountId)).toBe(1)

  const company = await post({ entity_type: 'company', identifier: cinOf(1) })
  expect([company.statusCode, company.json().detail]).toEqual([400, expect.stringContaining('/api/orders/normal')])
  expect((await post({ entity_type: 'gst', identifier: '27AABCU9603R1ZM' })).statusCode).toBe(422)
  expect((await post({ entity_type: 'gst', identifier: gstinOf(99) })).statusCode).toBe(404)
})

test('the OpenAPI document describes every route with a summary, and the export as JSON and CSV', async () => {
  const paths = (await api.document()).paths as Record<string, Record<string, OpenApiOperation>>
  const own = Object.entries(paths).filter(([path]) => /^\/api\/(orders|crm)\//.test(`${path}/`))
  const operations = own.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary] as const),
  )
  expect(operations.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'GET /api/crm/orders',
      'GET /api/crm/orders/{order_id}/leads',
      'GET /api/orders',
      'GET /api/orders/{id}',
      'GET /api/orders/{id}/export',
      'POST /api/crm/newlead',
      'POST /api/orders/export',
      'POST /api/orders/normal',
      'POST /api/orders/{id}/cancel',
    ]),
  )
  for (const [name, summary] of operations) expect([name, summary]).toEqual([name, expect.stringMatching(/\S/)])
  const content = paths['/api/orders/{id}/export']?.['get']?.responses['200']?.content
  expect(Object.keys(content ?? {})).toEqual(['application/json', 'text/csv', workbookType])
})

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

test('several orders come in one export of each format, in the order in which they are named, and of the caller alone', async () => {
  const accountId = await createAccount(database.db, 10)
  const first = await placed(accountId, [gst(2)])
  const second = await placed(accountId, [gst(1), { type: 'company', name: 'C', number: cinOf(1) }])
  const exported = (body: object) => api.post(accountId, '/api/orders/export', { order_ids: [second, first], ...body })

  const json = (await exported({})).json()
  expect(json.order_ids).toEqual([second, first])
  expect(json.data.map((record: Record<string, unknown>) => record['GSTIN'] ?? record['CIN'])).toEqual([
    gstinOf(1),
    cinOf(1),
    gstinOf(2),
  ])
  const csv = await exported({ format: 'csv', bom: true })
  expect(csv.headers['content-disposition']).toBe('attachment; filename="orders-2.csv"')
  expect(csv.body.startsWith('\uFEFF"Last_Name"')).toBe(true)
  expect(parse(csv.body, { bom: true })).toHaveLength(4)

  const xlsx = await exported({ format: 'xlsx' })
  expect(xlsx.headers['content-type']).toBe(workbookType)
  const sheets = await readXlsxFile(xlsx.rawPayload)
  expect(sheets.map(({ sheet, data }) => [sheet, data.length])).toEqual([
    ['company', 2],
    ['gst', 3],
  ])
  const alone = await api.get(accountId, `/api/orders/${first}/export?format=xlsx`)
  expect((await readXlsxFile(alone.rawPayload)).map(({ sheet }) => sheet)).toEqual(['gst'])

  const stranger = await createAccount(database.db)
  const refused = await api.post(stranger, '/api/orders/export', { order_ids: [first] })
  expect([refused.statusCode, refused.json().index]).toEqual([404, 0])
  const listed = await api.get(accountId, '/api/crm/orders')
  expect(listed.json()).toMatchObject({
    total: 2,
    data: [
      { order_id: second, total: 2 },
      { order_id: first, total: 1 },
    ],
  })
})

interface OpenApiOperation {
  readonly summary?: string
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

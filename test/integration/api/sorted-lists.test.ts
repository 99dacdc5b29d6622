/** Lists that are read by page, in each order that they can be asked for: rows that are alike, and rows that come while somebody reads on. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf } from '../../support/openapi.ts'
import { listRows, type RowMaker } from './list-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let buyer: LoggedIn
let makers: Record<string, RowMaker>
beforeAll(async () => {
  buyer = await newCustomer(api, database)
  makers = await listRows(database.db, buyer.accountId)
})

type Row = Readonly<Record<string, unknown>>
const rowsAtFirst = 11
const limit = 4

const lists = [
  ...[
    { path: '/api/orders', of: 'orders', key: '_id', sorts: orderSorts() },
    { path: '/admin/orders', of: 'orders', key: '_id', sorts: orderSorts() },
  ],
  ...['/api/invoices', '/admin/invoices'].map((path) => ({
    ...{ path, of: 'invoices', key: 'number' },
    sorts: { number: text('number'), issued_at: text('issued_at'), net: number('net'), total: number('total') },
  })),
  {
    ...{ path: '/admin/payments', of: 'payments', key: 'event_id' },
    sorts: { received_at: text('received_at'), outcome: text('outcome'), amount: number('amount') },
  },
  ...['/api/crm/deliveries', '/admin/deliveries'].map((path) => ({
    ...{ path, of: 'deliveries', key: 'delivery_id' },
    sorts: { at: text('at'), name: lower('name'), outcome: text('outcome') },
  })),
  {
    ...{ path: '/admin/ingest/runs', of: 'runs', key: 'run_id' },
    sorts: { created_at: number('run_id'), source: text('source'), as_of: text('as_of'), status: text('status') },
  },
  ...['/api/standing-orders', '/admin/standing-orders'].map((path) => ({
    ...{ path, of: 'standing', key: 'standing_order_id' },
    sorts: { name: lower('name'), state: text('state'), state_at: text('state_at') },
  })),
  {
    ...{ path: '/api/watchlist', of: 'watchlists', key: 'id' },
    sorts: { name: lower('name'), type: text('type'), created_at: text('created_at') },
  },
  {
    ...{ path: '/admin/suppressions', of: 'suppressions', key: 'id' },
    sorts: { kind: text('kind'), created_at: text('created_at'), created_by: text('created_by') },
  },
]

function text(name: string) {
  return (row: Row) => [String(row[name])]
}
function lower(name: string) {
  return (row: Row) => [String(row[name]).toLowerCase()]
}
function number(name: string) {
  return (row: Row) => [row[name] === null ? null : Number(row[name])]
}
function orderSorts() {
  return {
    ...{ name: lower('orderName'), status: text('status'), created_at: text('created_at') },
    items_count: number('items_count'),
    total_amount: (row: Row) => [String(row['paymentOption']), Number(row['total_amount'])],
  }
}

/** What nothing is known of stands last in either direction. */
function inOrder(one: readonly unknown[], other: readonly unknown[], isDescending: boolean): number {
  for (const [place, a] of one.entries()) {
    const b = other[place]
    if (a === b) continue
    if (a === null || b === null) return a === null ? 1 : -1
    const isFirst = typeof a === 'number' && typeof b === 'number' ? a < b : String(a) < String(b)
    return isFirst === isDescending ? 1 : -1
  }
  return 0
}

const tokenOf = (path: string) => (path.startsWith('/admin') ? operatorToken : buyer.token)
const page = async (path: string, query: string): Promise<{ data: Row[]; total: number }> => {
  const reply = await api.get(`${path}?${query}`, tokenOf(path))
  expect([reply.statusCode, reply.statusCode === 200 || reply.body]).toEqual([200, true])
  return reply.json()
}

test('every order that the document names is answered', async () => {
  const asked: string[] = []
  for (const { path, parameters = [] } of (await operationsOf(api)).filter(({ method }) => method === 'GET')) {
    const orders = parameters.find(({ name }) => name === 'sort')?.schema?.['enum']
    for (const sort of Array.isArray(orders) ? orders.map(String) : []) {
      asked.push(`${path} ${sort}`)
      await page(path, `sort=${sort}`)
    }
  }
  expect(asked).toContain('/admin/disputes reported_by-')
})

describe.each(lists)('$path', ({ path, of, key, sorts }) => {
  const make = async (rows: number) => {
    for (let n = 0; n < rows; n++) await makers[of]?.()
  }
  const walk = async (sort: string, between: () => Promise<void> = async () => {}) => {
    const met: Row[] = []
    for (let number = 1; ; number++) {
      const { data } = await page(path, `sort=${sort}&limit=${limit}&page=${number}`)
      met.push(...data)
      if (data.length < limit) return met
      if (number === 1) await between()
    }
  }
  const idsOf = (rows: readonly Row[]) => rows.map((row) => row[key])

  test('its pages hold every row once in each order, from either end, however many rows are alike', async () => {
    await make(rowsAtFirst)
    const { data: all, total } = await page(path, 'limit=100')
    expect(all.length).toBe(total)
    expect(total).toBeGreaterThanOrEqual(rowsAtFirst)
    for (const [name, told] of Object.entries<(row: Row) => readonly unknown[]>(sorts)) {
      for (const isDescending of [false, true]) {
        const rows = await walk(isDescending ? `${name}-` : name)
        expect(idsOf(rows).toSorted()).toEqual(idsOf(all).toSorted())
        const values = all.map(told).toSorted((a, b) => inOrder(a, b, isDescending))
        expect([name, rows.map(told)]).toEqual([name, values])
      }
    }
    expect((await api.get(`${path}?sort=password_hash`, tokenOf(path))).statusCode).toBe(400)
  })

  test('a row that was there at first is on one of the pages, also where others come between two of them', async () => {
    const { data: before } = await page(path, 'limit=100')
    for (const name of Object.keys(sorts).flatMap((each) => [each, `${each}-`])) {
      const met = new Set(idsOf(await walk(name, () => make(1))))
      expect([name, before.filter((row) => !met.has(row[key]))]).toEqual([name, []])
    }
  })
})

/** Lists that are read by page, in each order that they can be asked for: rows that are alike, and rows that come while somebody reads on. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf } from '../../support/openapi.ts'
import { entryRows } from './entry-rows.ts'
import { listsOfEntries, listsOfThings, type Row } from './list-orders.ts'
import { listRows, type RowMaker } from './list-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
// An account asks for so much in a minute, and the lists are many.
let buyers: Readonly<Record<'things' | 'entries', LoggedIn>>
let makers: Record<string, RowMaker>
let addresses: Readonly<Record<string, string>>
beforeAll(async () => {
  const buyer = () => newCustomer(api, database, { plan: 'premium' })
  buyers = { things: await buyer(), entries: await buyer() }
  const entries = await entryRows(database.db, buyers.entries.accountId)
  makers = { ...(await listRows(database.db, buyers.things.accountId)), ...entries.makers }
  addresses = entries.addresses
})

const lists = [...listsOfThings, ...listsOfEntries]
const rowsAtFirst = 11
const limit = 4

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

const tokenOf = (path: string) => {
  if (path.startsWith('/admin')) return operatorToken
  return buyers[listsOfEntries.some((list) => list.path === path) ? 'entries' : 'things'].token
}
const asking = (path: string, query: string) => {
  const address = addresses[path] ?? path
  return api.get(`${address}${address.includes('?') ? '&' : '?'}${query}`, tokenOf(path))
}
interface Page {
  readonly data: readonly Row[]
  readonly total?: number
  readonly next_cursor?: string | null
}
const page = async (path: string, query: string, within?: string): Promise<Page> => {
  const reply = await asking(path, query)
  expect([path, reply.statusCode, reply.statusCode === 200 || reply.body]).toEqual([path, 200, true])
  const answer = reply.json()
  return within === undefined ? answer : { ...answer, data: answer.data[within] }
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

describe.each(lists)('$path', ({ path, of, key, sorts, narrowed = '', next = 'page', within, grows }) => {
  const make = async (rows: number, by = of) => {
    for (let n = 0; n < rows; n++) await makers[by]?.()
  }
  const read = (query: string) => page(path, `${narrowed}&${query}`, within)
  const walk = async (sort: string, between: () => Promise<void> = async () => {}) => {
    const met: Row[] = []
    let place = ''
    for (let number = 1; ; number++) {
      const { data, next_cursor } = await read(`sort=${sort}&limit=${limit}${place}`)
      met.push(...data)
      if (data.length < limit) return met
      place = next === 'page' ? `&page=${number + 1}` : `&cursor=${next_cursor}`
      if (number === 1) await between()
    }
  }
  const idsOf = (rows: readonly Row[]) => rows.map((row) => row[key])

  test('its pages hold every row once in each order, from either end, however many rows are alike', async () => {
    await make(rowsAtFirst)
    const { data: all, total = all.length } = await read('limit=100')
    expect(all.length).toBe(total)
    expect(total).toBeGreaterThanOrEqual(rowsAtFirst)
    for (const [name, told] of Object.entries(sorts)) {
      for (const isDescending of [false, true]) {
        const rows = await walk(isDescending ? `${name}-` : name)
        expect(idsOf(rows).toSorted()).toEqual(idsOf(all).toSorted())
        const values = all.map(told).toSorted((a, b) => inOrder(a, b, isDescending))
        expect([name, rows.map(told)]).toEqual([name, values])
      }
    }
    expect((await asking(path, 'sort=password_hash')).statusCode).toBe(400)
  })

  test.runIf(grows)(
    'what comes while somebody reads on moves no row to the next page, where it is bound to the newest of the first',
    async () => {
      const { made = '', table, id, of: ofNow = of } = grows ?? {}
      await make(limit)
      const first = await read(`limit=${limit}`)
      const { data: before } = await read('limit=100')
      await make(2, ofNow)
      const { data: after } = await read('limit=100')
      const fresh = idsOf(after).filter((each) => !idsOf(before).includes(each))
      expect(fresh).toHaveLength(2)
      if (table && id)
        await database.db.execute(`UPDATE ${table} SET ${made} = now() WHERE ${id}::text = ANY ($1)`, [fresh])
      const second = async (query: string) => idsOf((await read(`limit=${limit}&page=2${query}`)).data)
      expect((await second('')).slice(0, 2)).toEqual(idsOf(first.data).slice(-2))
      const bound = `&until=${first.data[0]?.[made]}`
      expect(await second(bound)).toEqual(idsOf(before).slice(limit, 2 * limit))
      expect((await read(`limit=1${bound}`)).total).toBe(first.total)
      expect((await asking(path, 'until=0000-01-01T00:00:00Z')).statusCode).toBe(422)
      expect((await asking(path, 'until=yesterday')).statusCode).toBe(400)
    },
  )

  test.runIf(next === 'page')('a page beyond the last one is empty and tells the same total', async () => {
    await make(1)
    const { total } = await read('limit=1')
    const { data, total: beyond } = await read('limit=100&page=999')
    expect([data, beyond]).toEqual([[], total])
  })

  test('a row that was there at first is on one of the pages, also where others come between two of them', async () => {
    const { data: before } = await read('limit=100')
    for (const name of Object.keys(sorts).flatMap((each) => [each, `${each}-`])) {
      const met = new Set(idsOf(await walk(name, () => make(1))))
      expect([name, before.filter((row) => !met.has(row[key]))]).toEqual([name, []])
    }
  })
})

test.each(lists.filter(({ next }) => next === 'cursor'))(
  'a cursor of one order of $path is refused in another',
  async ({ path, sorts, narrowed }) => {
    const orders = Object.keys(sorts).flatMap((name) => [name, `${name}-`])
    for (const order of orders) {
      const { next_cursor: cursor } = await page(path, `${narrowed}&sort=${order}&limit=${limit}`)
      for (const other of orders.filter((each) => each !== order)) {
        const reply = await asking(path, `${narrowed}&sort=${other}&cursor=${cursor}`)
        expect([other, reply.statusCode, reply.json().error_code]).toEqual([other, 400, 'BAD_REQUEST'])
      }
    }
  },
)

test('the whole ledger is sorted by what its index knows, and by nothing else', async () => {
  const statuses = ['at', 'kind', 'amount-'].map(async (sort) => {
    const { statusCode } = await api.get(`/admin/ledger?sort=${sort}`, operatorToken)
    return statusCode
  })
  expect(await Promise.all(statuses)).toEqual([200, 422, 422])
})

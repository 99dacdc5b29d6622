/** A feed is read in the order of an index, and one narrowed to a state by the index of the states. */
import { beforeAll, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Db, Queryable, Sql } from '../../../src/db/db.ts'
import { type EntityType, entityTypes } from '../../../src/domain/identity.ts'
import type { Scope } from '../../../src/domain/scope.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { filterCompanies, filterDirectors, filterGst } from '../../../src/registry/filters.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type Explained, nodesOf, type PlanNode, rowsRead } from '../../support/rows-read.ts'

const database = useTestDatabase()

beforeAll(() => seedRegisters(database.db, { companies: 20_000, gst: 20_000, directors: 20_000 }))

/** Notes the plan of each statement before it runs; of what is prepared, the plan for whatever values. */
function explaining<Q extends Queryable>(db: Q, nodes: PlanNode[]): Q {
  return {
    ...db,
    async query<R extends object>(sql: Sql, values?: readonly unknown[]): Promise<R[]> {
      const [explained] = await (typeof sql === 'string'
        ? db.query<Explained>(`EXPLAIN (FORMAT JSON) ${sql}`, values)
        : db.query<Explained>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql.text}`))
      nodes.push(...(explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan)))
      return db.query<R>(sql, values)
    },
  }
}

const everything: Scope = { states: null, districts: null, pincodes: null, from: null, to: null }

/** Reads a page twice, first with a total that nobody knows; tells the total and the nodes of both plans. */
async function readPlan(dataset: EntityType, query: Partial<FeedQuery> = {}) {
  const nodes: PlanNode[] = []
  const db: Db = {
    ...explaining(database.db, nodes),
    readSnapshot: (timeoutMs, work) => database.db.readSnapshot(timeoutMs, (tx) => work(explaining(tx, nodes))),
  }
  const read = () =>
    readFeed(db, dataset, {
      scopes: [everything],
      today: '2030-06-15',
      page: 1,
      limit: 10,
      ...query,
    })
  const { total } = await read()
  expect((await read()).total).toBe(total)
  return { nodes, total }
}

const inOrder = entityTypes.flatMap((dataset) => [
  { dataset, part: 'whole', query: {} },
  { dataset, part: 'window of a', query: { scopes: [{ ...everything, from: '2001-01-01', to: '2030-01-01' }] } },
  {
    dataset,
    part: 'Maharashtra part of a',
    query: { state: 'Maharashtra', scopes: [{ ...everything, from: '2001-01-01' }] },
  },
])

test.each(inOrder)(
  'the page of the $part $dataset feed is the first of an index, and nothing is sorted for it',
  async ({ dataset, query }) => {
    const { nodes, total } = await readPlan(dataset, query)
    expect(total).toBeGreaterThan(500)
    const pages = nodes.filter((node) => node['Node Type'] === 'Limit')
    // Of each director in the index's order it is asked whether somebody objected to being shown, and then for the record.
    const shown = ['Nested Loop', 'Nested Loop', 'Index Scan', 'Index Only Scan', 'Index Scan']
    const read = ['Limit', ...(dataset === 'director' ? shown : ['Index Scan'])]
    expect(pages.map((page) => nodesOf(page).map((node) => node['Node Type']))).toEqual([read, read])
  },
)

test.each<[string, Partial<FeedQuery>]>([
  ['asked for', { state: 'Goa' }],
  ['entitled', { scopes: [{ ...everything, states: ['Goa'] }] }],
])('a state that is %s is read by its index', async (_how, query) => {
  const { nodes, total } = await readPlan('company', query)
  expect(total).toBeGreaterThan(100)
  const indexes = nodes.map((node) => node['Index Name'])
  // Few rows of a state are sorted, many are read in their order; both begin with the state.
  expect(indexes.filter((name) => name === 'company_recent_in_state' || name === 'company_state_city')).not.toEqual([])
})

test('a page of several grants is merged from the first rows of an index each, whatever the register holds', async () => {
  const states = ['Maharashtra', 'Karnataka', 'Delhi', 'Gujarat', 'Kerala', 'Punjab', 'Goa', 'Bihar', 'Odisha', 'Assam']
  const scopes = states.map((state, index) => ({ ...everything, states: [state], from: `2001-01-${10 + index}` }))
  for (const count of [2, 3, 10]) {
    const { nodes } = await readPlan('company', { scopes: scopes.slice(0, count) })
    const reads = nodes.filter((node) => node['Index Name'] === 'company_recent_in_state')
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(reads.length).toBeGreaterThan(count)
  }
})

/** The most frequent and the rarest place of a register: what the planner knows of the one must not mislead it for the other. */
const placesOf = async (column: 'district' | 'pincode'): Promise<string[]> => {
  const rows = await database.db.query<{ place: string }>(
    `SELECT ${column} AS place FROM registry.company WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*), 1`,
  )
  return [rows.at(0)?.place ?? '', rows.at(-1)?.place ?? '']
}

test.each(['district', 'pincode'] as const)(
  'a page of one %s, rare or frequent, and one of several are read by the index that holds their newest',
  async (column) => {
    const places = await placesOf(column)
    const key = column === 'district' ? 'districts' : 'pincodes'
    for (const list of [...places.map((place) => [place]), places]) {
      for (const query of [
        { scopes: [{ ...everything, [key]: list }] },
        { [key]: list.map((place) => place.toLowerCase()) },
      ]) {
        const { nodes, total } = await readPlan('company', query)
        expect(total).toBeGreaterThan(0)
        const names = nodes.map((node) => node['Index Name'])
        expect(names.filter((name) => name === `company_recent_in_${column}`).length).toBeGreaterThan(0)
        // Neither the whole register nor all that is of some day is looked through for a page.
        expect([list, nodes.filter((node) => node['Node Type'] === 'Seq Scan')]).toEqual([list, []])
        expect([list, names.includes('company_incorporated')]).toEqual([list, false])
      }
    }
  },
)

test('grants of states that overlap, of a district and of a pincode are merged, each row once, as a look through all finds them', async () => {
  const [, district = ''] = await placesOf('district')
  const [, pincode = ''] = await placesOf('pincode')
  const scopes: Scope[] = [
    { ...everything, states: ['Maharashtra', 'Goa'], from: '2014-01-01' },
    { ...everything, states: ['Goa', 'Kerala'], from: '2012-01-01', to: '2015-12-31' },
    { ...everything, states: ['Kerala', 'Punjab'], from: '2013-05-01' },
    { ...everything, districts: [district], from: '2010-01-01' },
    { ...everything, pincodes: [pincode] },
  ]
  const { nodes, total } = await readPlan('company', { scopes })
  expect(nodes.map((node) => node['Index Name'])).toEqual(
    expect.arrayContaining(['company_recent_in_state', 'company_recent_in_district', 'company_recent_in_pincode']),
  )
  const whole = await database.db.query<{ cin: string }>(
    `SELECT cin FROM registry.company WHERE closed_on IS NULL AND (
       state IN ('Maharashtra', 'Goa') AND incorporated_on >= '2014-01-01'
       OR state IN ('Goa', 'Kerala') AND incorporated_on BETWEEN '2012-01-01' AND '2015-12-31'
       OR state IN ('Kerala', 'Punjab') AND incorporated_on >= '2013-05-01'
       OR district = $1 AND incorporated_on >= '2010-01-01' OR pincode = $2 AND incorporated_on IS NOT NULL)
     ORDER BY incorporated_on DESC, cin`,
    [district, pincode],
  )
  expect(total).toBe(whole.length)
  for (const page of [1, 2, 13]) {
    const { data } = await readFeed<{ CIN: string }>(database.db, 'company', {
      scopes,
      today: '2030-06-15',
      page,
      limit: 20,
    })
    const expected = whole.slice((page - 1) * 20, page * 20).map(({ cin }) => cin)
    expect(data.map(({ CIN }) => CIN)).toEqual(expected)
  }
})

test('of very many places a page is read at once, and the same', async () => {
  const rows = await database.db.query<{ pincode: string }>(
    'SELECT DISTINCT pincode FROM registry.company ORDER BY 1 LIMIT 3000',
  )
  const pincodes = rows.map(({ pincode }) => pincode)
  const scopes = [{ ...everything, pincodes }]
  const pages = async (limit: number, count: number) => {
    const ids: string[] = []
    for (let page = 1; page <= count; page++) {
      const { data } = await readFeed<{ CIN: string }>(database.db, 'company', {
        scopes,
        today: '2030-06-15',
        page,
        limit,
      })
      ids.push(...data.map(({ CIN }) => CIN))
    }
    return ids
  }
  expect(pincodes).toHaveLength(3000)
  expect(await pages(5, 4)).toEqual(await pages(20, 1))
})

const ofRegisters = /^(company|gst_taxpayer|director)$/

const page = { page: 1, limit: 10, today: '2030-06-15' }
const firstPages: [string, (db: Db) => Promise<unknown>][] = [
  ...entityTypes.flatMap((dataset): [string, (db: Db) => Promise<unknown>][] => [
    [`the ${dataset} feed of the country`, (db) => readFeed(db, dataset, { ...page, scopes: [everything] })],
    [
      `the ${dataset} feed of a window that begins and ends within a month`,
      (db) => readFeed(db, dataset, { ...page, scopes: [{ ...everything, from: '2001-01-15', to: '2030-01-15' }] }),
    ],
    [
      `the ${dataset} feed of states that are granted, of which one is asked for`,
      (db) =>
        readFeed(db, dataset, {
          ...page,
          state: 'Maharashtra',
          scopes: [{ ...everything, states: ['Goa', 'Maharashtra'] }],
        }),
    ],
  ]),
  [
    'the company feed of a status',
    (db) => readFeed(db, 'company', { ...page, statuses: ['active'], scopes: [everything] }),
  ],
  ['all companies', (db) => filterCompanies(db, page)],
  ['the GST registrations that are active', (db) => filterGst(db, { ...page, statuses: ['active'] })],
  ['all directors', (db) => filterDirectors(db, page)],
  ['a screener of a status', (db) => runScreener(db, { ...page, type: 'company', query: "llpStatus == 'Active'" })],
  [
    'a screener of states and a month',
    (db) =>
      runScreener(db, {
        ...page,
        type: 'gst',
        query: "state IN ['Maharashtra', 'Goa'] AND DateOfRegistration >= '2015-01-10'",
      }),
  ],
]

test.each(firstPages)(
  'the first page of %s, with a total that nobody knows yet, reads no register through',
  async (_what, read) => {
    expect(await rowsRead(database.db, ofRegisters, read)).toBeLessThan(2_000)
  },
)

/** A feed is read in the order of an index, and one narrowed to a state by the index of the states. */
import { beforeAll, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Db, Queryable, Sql } from '../../../src/db/db.ts'
import { type EntityType, entityTypes } from '../../../src/domain/identity.ts'
import type { Scope } from '../../../src/domain/scope.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

beforeAll(() => seedRegisters(database.db, { companies: 20_000, gst: 20_000, directors: 20_000 }))

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

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
async function planOf(dataset: EntityType, query: Partial<FeedQuery> = {}) {
  const nodes: PlanNode[] = []
  const db: Db = {
    ...explaining(database.db, nodes),
    readSnapshot: (timeoutMs, work) => database.db.readSnapshot(timeoutMs, (tx) => work(explaining(tx, nodes))),
  }
  const read = () =>
    readFeed(db, dataset, {
      scopes: [everything],
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
    const { nodes, total } = await planOf(dataset, query)
    expect(total).toBeGreaterThan(500)
    const pages = nodes.filter((node) => node['Node Type'] === 'Limit')
    // Of each director in the index's order it is asked whether somebody objected to being shown.
    const asked = dataset === 'director' ? ['Nested Loop', 'Index Scan', 'Index Only Scan'] : ['Index Scan']
    const read = ['Limit', ...asked]
    expect(pages.map((page) => nodesOf(page).map((node) => node['Node Type']))).toEqual([read, read])
  },
)

test.each<[string, Partial<FeedQuery>]>([
  ['asked for', { state: 'Goa' }],
  ['entitled', { scopes: [{ ...everything, states: ['Goa'] }] }],
])('a state that is %s is read by its index', async (_how, query) => {
  const { nodes, total } = await planOf('company', query)
  expect(total).toBeGreaterThan(100)
  const indexes = nodes.map((node) => node['Index Name'])
  // Few rows of a state are sorted, many are read in their order; both begin with the state.
  expect(indexes.filter((name) => name === 'company_recent_in_state' || name === 'company_state_city')).not.toEqual([])
})

test('a page of several grants is merged from the first rows of an index each, whatever the register holds', async () => {
  const states = ['Maharashtra', 'Karnataka', 'Delhi', 'Gujarat', 'Kerala', 'Punjab', 'Goa', 'Bihar', 'Odisha', 'Assam']
  const scopes = states.map((state, index) => ({ ...everything, states: [state], from: `2001-01-${10 + index}` }))
  for (const count of [2, 3, 10]) {
    const { nodes } = await planOf('company', { scopes: scopes.slice(0, count) })
    const reads = nodes.filter((node) => node['Index Name'] === 'company_recent_in_state')
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(reads.length).toBeGreaterThan(count)
  }
})

/** A feed is read in the order of an index, and one narrowed to a state by the index of the states. */
import { beforeAll, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Db } from '../../../src/db/db.ts'
import { type EntityType, entityTypes } from '../../../src/domain/identity.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

beforeAll(() => seedRegisters(database.db, { companies: 20_000, gst: 20_000, directors: 20_000 }))

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Reads a page; tells its total and the nodes of the statement's plan. */
async function planOf(dataset: EntityType, query: Partial<FeedQuery> = {}) {
  const nodes: PlanNode[] = []
  const db: Db = {
    ...database.db,
    async query<R extends object>(sql: Parameters<Db['query']>[0], values?: readonly unknown[]): Promise<R[]> {
      const [explained] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
        `EXPLAIN (FORMAT JSON) ${String(sql)}`,
        values,
      )
      nodes.push(...(explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan)))
      return database.db.query<R>(sql, values)
    },
  }
  const everywhere = { states: null, districts: null, pincodes: null }
  const { total } = await readFeed(db, dataset, {
    territory: everywhere,
    window: { from: null, to: null },
    page: 1,
    limit: 10,
    ...query,
  })
  return { nodes, total }
}

test.each(entityTypes)(
  'the page of a whole %s feed is the first of an index, and nothing is sorted for it',
  async (dataset) => {
    const { nodes, total } = await planOf(dataset)
    expect(total).toBeGreaterThan(10_000)
    const pages = nodes.filter((node) => node['Node Type'] === 'Limit')
    expect(pages.map((page) => nodesOf(page).map((node) => node['Node Type']))).toEqual([['Limit', 'Index Scan']])
  },
)

test.each<[string, Partial<FeedQuery>]>([
  ['asked for', { state: 'Goa' }],
  ['entitled', { territory: { states: ['Goa'], districts: null, pincodes: null } }],
])('a state that is %s is read by its index', async (_how, query) => {
  const { nodes, total } = await planOf('company', query)
  expect(total).toBeGreaterThan(100)
  const indexes = nodes.map((node) => node['Index Name'])
  // Few rows of a state are sorted, many are read in their order; both begin with the state.
  expect(indexes.filter((name) => name === 'company_recent_in_state' || name === 'company_state_city')).not.toEqual([])
})

/** A feed narrowed to a state reads the index of the states, whether the caller asks for the state or the territory is that state. */
import { beforeAll, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Db } from '../../../src/db/db.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

beforeAll(() => seedRegisters(database.db, { companies: 20_000, gst: 0, directors: 0 }))

async function indexesOf(query: Partial<FeedQuery>): Promise<{ readonly indexes: string[]; readonly total: number }> {
  const indexes: string[] = []
  const db: Db = {
    ...database.db,
    async query<R extends object>(sql: Parameters<Db['query']>[0], values?: readonly unknown[]): Promise<R[]> {
      const plan = await database.db.query(`EXPLAIN (FORMAT JSON) ${String(sql)}`, values)
      indexes.push(
        ...JSON.stringify(plan)
          .matchAll(/"Index Name":"([^"]+)"/g)
          .map(([, name]) => String(name)),
      )
      return database.db.query<R>(sql, values)
    },
  }
  const everywhere = { states: null, districts: null, pincodes: null }
  const { total } = await readFeed(db, 'company', {
    territory: everywhere,
    window: { from: null, to: null },
    page: 1,
    limit: 10,
    ...query,
  })
  return { indexes, total }
}

test.each<[string, Partial<FeedQuery>]>([
  ['asked for', { state: 'Goa' }],
  ['entitled', { territory: { states: ['Goa'], districts: null, pincodes: null } }],
])('a state that is %s is read by its index', async (_how, query) => {
  const { indexes, total } = await indexesOf(query)
  expect(total).toBeGreaterThan(100)
  // Few rows of a state are sorted, many are read in their order; both begin with the state.
  expect(indexes.filter((name) => name === 'company_recent_in_state' || name === 'company_state_city')).not.toEqual([])
})

/** A first page of a feed is planned once for a connection, whatever is asked for: to plan one costs more than to read it. */
import { beforeAll, expect, test } from 'vitest'
import { seedRegisters } from '../../../bench/seed/registers.ts'
import type { Db } from '../../../src/db/db.ts'
import type { Scope } from '../../../src/domain/scope.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
beforeAll(() => seedRegisters(database.db, { companies: 20_000, gst: 1_000, directors: 1_000 }))

const everything: Scope = { states: null, districts: null, pincodes: null, from: null, to: null }
/** The n-th asks for other places and days than those before. */
const asked: [string, (n: number, places: readonly string[]) => Partial<FeedQuery>][] = [
  ['of the country', () => ({})],
  ['of a window', (n) => ({ scopes: [{ ...everything, from: `200${n % 10}-01-01`, to: '2030-01-01' }] })],
  ['of a district', (n, places) => ({ districts: [places[n] ?? ''] })],
  ['of several districts', (n, places) => ({ districts: places.slice(0, n + 1) })],
  ['of a PIN code', (n) => ({ pincodes: [String(310_000 + n)] })],
  [
    'of several grants',
    (n, places) => ({
      scopes: [
        { ...everything, states: ['Maharashtra', 'Goa'].slice(n % 2), from: `201${n % 10}-01-01` },
        { ...everything, districts: places.slice(n, n + 3), to: '2029-12-31' },
        { ...everything, pincodes: [String(310_000 + n)] },
      ],
    }),
  ],
]

test.each(asked)('a page %s is planned anew a few times at most', async (_part, queryOf) => {
  const places = (
    await database.db.query<{ place: string }>(
      'SELECT DISTINCT lower(district) AS place FROM registry.company LIMIT 20',
    )
  ).map(({ place }) => place)
  const plans = await database.db.withConnection(async (connection) => {
    const db: Db = { ...database.db, query: connection.query }
    for (let n = 0; n < 15; n++) {
      const query = { scopes: [everything], today: '2030-06-15', page: 1, limit: 10, ...queryOf(n, places) }
      // Once with a total that nobody knows.
      for (let time = 0; time < 2; time++) await readFeed(db, 'company', query)
    }
    return connection.query<{ anew: number; kept: number }>(
      `SELECT custom_plans AS anew, generic_plans AS kept FROM pg_prepared_statements WHERE name LIKE 'feed %'`,
    )
  })
  expect(plans.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(0)
  // The server makes a plan for the values five times before it takes one for any.
  for (const { anew } of plans) expect(anew).toBeLessThanOrEqual(5)
})

/** What makes a page of a feed cheap changes no answer: totals that are remembered, and statements that are prepared. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db, Queryable } from '../../../src/db/db.ts'
import { type FeedQuery, readFeed } from '../../../src/registry/feed/read-feed.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'

const database = useTestDatabase()

/** The same database with nothing remembered of it, and every statement planned for its own values. */
function switchedOff(db: Db): Db {
  const unprepared = <Q extends Queryable>(queryable: Q): Q => ({
    ...queryable,
    query: (sql, values) => queryable.query(typeof sql === 'string' ? sql : sql.text, values),
  })
  return {
    ...unprepared(db),
    identity: {},
    readSnapshot: (timeoutMs, work) => db.readSnapshot(timeoutMs, (tx) => work(unprepared(tx))),
  }
}

const states = ['Goa', 'Kerala', 'Punjab']
const pincodes = ['403001', '682001', '141001']
const day = fc.integer({ min: 10, max: 29 }).map((date) => `2024-04-${date}`)
const either = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }))
const registrations = fc.array(
  fc.record({
    state: fc.option(fc.constantFrom(...states)),
    district: fc.constant(null),
    pincode: fc.option(fc.constantFrom(...pincodes)),
    registeredOn: day,
  }),
  { maxLength: 30 },
)
const scope = fc.record({
  states: either(states),
  districts: fc.constant(null),
  pincodes: either(pincodes),
  from: fc.option(day),
  to: fc.option(day),
})
const query: fc.Arbitrary<FeedQuery> = fc.record({
  today: day,
  scopes: fc.array(scope, { maxLength: 3 }),
  page: fc.integer({ min: 1, max: 4 }),
  limit: fc.constantFrom(3, 10, 50),
  state: fc.option(fc.constantFrom(...states), { nil: undefined }),
  pincodes: fc.option(fc.subarray([...pincodes], { minLength: 1 }), { nil: undefined }),
})

test.each(['company', 'director', 'gst'] as const)(
  'a page of the %s feed is the same with and without what is remembered, whatever came in between',
  async (dataset) => {
    const warm = database.db
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ rows: registrations, queries: fc.array(query, { minLength: 1, maxLength: 3 }) }), {
          minLength: 2,
          maxLength: 3,
        }),
        async (rounds) => {
          // What was asked in one round is known in the next, of another state of the register.
          const asked: FeedQuery[] = []
          for (const { rows, queries } of rounds) {
            await addRegistrations(warm, dataset, rows)
            asked.push(...queries)
            for (const each of [...asked, ...asked]) {
              const known = await readFeed(warm, dataset, each)
              expect(known).toEqual(await readFeed(switchedOff(warm), dataset, each))
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  },
)

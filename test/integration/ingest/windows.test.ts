import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refreshFeedsJob } from '../../../jobs/refresh-feeds.ts'
import { refreshWindows } from '../../../src/ingest/after/windows.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue } = useIngest(database)

const states = ['Goa', 'Kerala', 'Punjab']
const days = ['2025-01-01', '2025-01-02', '2025-02-15', '']
const registration = fc.record({
  din: fc.integer({ min: 1, max: 30 }),
  day: fc.constantFrom(...days),
  state: fc.constantFrom(...states, ''),
  district: fc.constantFrom('North', 'South'),
  pincode: fc.constantFrom('403001', '403002'),
})
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const grant = fc.record({
  states: maybe(fc.subarray(states, { minLength: 1 })),
  districts: maybe(fc.subarray(['North', 'South'], { minLength: 1 })),
  pincodes: maybe(fc.subarray(['403001', '403002'], { minLength: 1 })),
  from: maybe(fc.constantFrom('2025-01-01', '2025-01-02')),
  to: maybe(fc.constantFrom('2025-01-02', '2025-02-15')),
})
type Grant = typeof grant extends fc.Arbitrary<infer T> ? T : never

const fromScratch = () =>
  database.db.query(
    `SELECT e.entitlement_id, coalesce(r.state, '') AS state, r.registered_on, count(*) AS total
     FROM access.entitlement e, feed.registration r
     WHERE r.dataset = e.dataset AND r.registered_on BETWEEN coalesce(e.window_from, '-infinity') AND coalesce(e.window_to, 'infinity')
       AND (e.states IS NULL OR r.state IN (SELECT unnest(e.states)))
       AND (e.districts IS NULL OR r.district IN (SELECT unnest(e.districts)))
       AND (e.pincodes IS NULL OR r.pincode IN (SELECT unnest(e.pincodes)))
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
const kept = () =>
  database.db.query('SELECT entitlement_id, state, registered_on, total FROM feed.window_count ORDER BY 1, 2, 3')

async function addEntitlement(accountId: string, given: Grant): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    `INSERT INTO access.entitlement (account_id, dataset, granted_by, plan_name, interval, states, districts, pincodes, window_from, window_to)
     VALUES ($1, 'director', 'subscription', 'Test', 'month', $2, $3, $4, $5, $6) RETURNING entitlement_id AS id`,
    [accountId, given.states, given.districts, given.pincodes, given.from, given.to],
  )
  return row?.id ?? ''
}

test('after any sequence of merges, late ones and corrections included, and grants the window counts equal a count from scratch', async () => {
  const [account] = await database.db.query<{ id: string }>(
    `INSERT INTO access.account (email, username) VALUES ('w@example.test', 'w') RETURNING account_id AS id`,
  )
  let asOf = Date.UTC(2025, 2, 1)
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        rows: fc.array(registration, { minLength: 1, maxLength: 12 }),
        mode: fc.constantFrom('delta', 'snapshot'),
        /** Days by which the file is older than the newest one before it. */
        late: fc.constantFrom(0, 0, 1, 3),
      }),
    },
    fc.record({ grant }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      for (const each of steps) {
        if ('grant' in each) {
          await refreshWindows(database.as('panji_worker'), {
            entitlementIds: [await addEntitlement(account?.id ?? '', each.grant)],
          })
          continue
        }
        asOf += 86_400_000
        const lines = each.rows.map(
          (row) => `${row.din},NAME ${row.din},Approved,${row.day},${row.state},${row.district},${row.pincode}`,
        )
        const path = file(
          `w-${asOf}.csv`,
          `DIN,FullName,DINStatus,DINApprovalDate,State,District,Pincode\n${lines.join('\n')}\n`,
        )
        const mode = each.mode === 'delta' ? 'delta' : 'snapshot'
        const run = await ingest('mca-directors', path, {
          mode,
          asOf: new Date(asOf - each.late * 86_400_000).toISOString().slice(0, 10),
          force: true,
        })
        expect(['succeeded', 'needs_approval']).toContain(run.status)
        for (const job of queue.sent.splice(0)) {
          if (job.queue === 'refresh-feeds')
            await refreshWindows(database.as('panji_worker'), job.payload as { runId: number })
        }
      }
      expect(await kept()).toEqual(await fromScratch())
    }),
    { numRuns: 25 },
  )
  expect(await database.db.query('SELECT FROM ingest.touched_day')).toEqual([])
  expect((await kept()).length).toBeGreaterThan(0)
})

test('the refresh job listens on its queue', () => {
  expect(refreshFeedsJob.queue.name).toBe('refresh-feeds')
})

/** F17: snapshots that come twice, overlap, or come in any order: the newest day says what the register holds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../support/database.ts'
import { draws } from '../support/figures.ts'
import { useIngest } from '../support/ingest.ts'
import { expectSound } from './support/oracles.ts'
import { cinOf, companyRange, dayOf } from './support/snapshots.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

/** Overlapping ranges of companies, each with a status of its own; day 3 and day 4 hold the same companies. */
const snapshots = [
  { day: 1, from: 1, to: 20, status: 'Active' },
  { day: 2, from: 3, to: 22, status: 'Strike Off' },
  { day: 3, from: 5, to: 24, status: 'Dormant' },
  { day: 4, from: 5, to: 24, status: 'Active' },
].map((snapshot) => {
  const path = file(`day-${snapshot.day}.csv`, companyRange(snapshot.from, snapshot.to, snapshot.status))
  return { ...snapshot, path }
})
type Snapshot = (typeof snapshots)[number]

const openCompanies = () =>
  database.db.query<{ cin: string; status_source: string; as_of: string }>(
    'SELECT cin, status_source FROM registry.company WHERE closed_on IS NULL ORDER BY cin',
  )
const holdingsOf = ({ from, to, status }: Snapshot) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ cin: cinOf(from + index), status_source: status }))

/** Every snapshot at least once, some of them again, in any order. */
const deliveries = fc
  .tuple(fc.array(fc.constantFrom(...snapshots), { maxLength: 4 }), fc.constant(null))
  .chain(([again]) => fc.shuffledSubarray([...snapshots, ...again], { minLength: snapshots.length + again.length }))

test('whatever the order and however often they come, the newest snapshot so far decides, and repeats change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async (order) => {
      await database.db.execute('TRUNCATE registry.company, registry.version, ingest.change, ingest.run CASCADE')
      let newest: Snapshot | undefined
      for (const snapshot of order) {
        const run = await ingest('mca-companies', snapshot.path, { asOf: dayOf(snapshot.day) })
        expect(['succeeded', 'no_op']).toContain(run.status)
        const decides = newest === undefined || snapshot.day > newest.day
        if (!decides) expect(run).toMatchObject({ inserted: 0, updated: 0, closed: 0 })
        if (decides) newest = snapshot
        if (newest) expect(await openCompanies()).toEqual(holdingsOf(newest))
      }
      await expectSound(database.db)
    }),
    { numRuns: draws(12), seed: 20261121 },
  )
})

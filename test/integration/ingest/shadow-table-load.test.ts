/** A first load that goes into a table beside the register ends like one that fills the register row by row, and so does all after it. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws, figure } from '../../support/figures.ts'
import { registerContents, registryFixture, stagingTables, useIngest } from '../../support/ingest.ts'

const aside = useTestDatabase()
const inPlace = useTestDatabase()
const sides = [
  { database: aside, ...useIngest(aside), shadowTableFrom: 0 },
  { database: inPlace, ...useIngest(inPlace), shadowTableFrom: Number.POSITIVE_INFINITY },
] as const

/** Snapshots of look-alikes, dirt included. */
const files = {
  'mca-companies': 'mca-companies-2023.csv',
  'gst-taxpayers': 'gst-taxpayers.csv',
  'mca-directors': 'mca-directors.csv',
  'mca-directorships': 'mca-directorships.csv',
  contacts: 'contacts.csv',
  pincodes: 'pincodes.csv',
} as const
const linesOf = Object.fromEntries(
  Object.entries(files).map(([source, name]) => [
    source,
    readFileSync(registryFixture(name), 'latin1').split('\n').filter(Boolean),
  ]),
)
/** Lines of one of them, some left out, some twice, as the first load and as the snapshot after it. */
const loads = fc.constantFrom(...(Object.keys(files) as (keyof typeof files)[])).chain((source) => {
  const lines = fc.array(fc.nat((linesOf[source]?.length ?? 1) - 2), { minLength: 1, maxLength: 12 })
  return fc.record({ source: fc.constant(source), snapshots: fc.tuple(lines, lines) })
})

type Side = (typeof sides)[number]

async function take(
  { database, dependencies, ingest, shadowTableFrom }: Side,
  source: string,
  path: string,
  asOf: string,
): Promise<RunRecord> {
  const run = await ingest(source, path, { asOf, force: true, deps: { shadowTableFrom } })
  if (run.status !== 'needs_approval') return run
  await approveRun(database.db, { send: async () => '' }, run.run_id)
  return runSnapshot({ ...dependencies(), shadowTableFrom }, run.run_id)
}

const oidOf = async (table: string) =>
  (await aside.db.query<{ oid: number }>('SELECT $1::text::regclass::oid AS oid', [table]))[0]?.oid

test('a first load beside the register leaves what a load into it leaves, and so does the snapshot after it', async () => {
  let serial = 0
  let swapped = 0
  await fc.assert(
    fc.asyncProperty(loads, async ({ source, snapshots }) => {
      const [header = '', ...lines] = linesOf[source] ?? []
      const table = sources.find(({ name }) => name === source)?.table ?? ''
      for (const { database } of sides) await emptyRegisters(database.db)
      for (const [index, drawn] of snapshots.entries()) {
        serial += 1
        const text = Buffer.from(`${[header, ...drawn.map((line) => lines[line])].join('\n')}\n`, 'latin1')
        const before = await oidOf(table)
        const ended: unknown[] = []
        for (const side of sides) {
          const run = await take(side, source, side.file(`${serial}.csv`, text), `2025-01-0${index + 1}`)
          const { status, rows_read, inserted, updated, unchanged, closed, rejected, skipped, scopes } = run
          const rejects = await side.database.db.query(
            'SELECT line, code, raw FROM ingest.reject WHERE run_id = $1 ORDER BY line, code',
            [run.run_id],
          )
          const counts = { status, rows_read, inserted, updated, unchanged, closed, rejected, skipped, scopes }
          ended.push({ counts, rejects, contents: await registerContents(side.database.db) })
        }
        expect(ended[0]).toEqual(ended[1])
        if (index === 0 && before !== (await oidOf(table))) swapped += 1
      }
    }),
    { numRuns: draws(12) },
  )
  // It was the way aside that was compared.
  expect(swapped).toBeGreaterThan(figure(1, 6))
  for (const { database } of sides) expect(await stagingTables(database.db)).toEqual([])
}, 120_000)

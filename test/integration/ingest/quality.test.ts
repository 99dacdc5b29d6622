/** What a source's files were worth, run by run; and values so poor that an operator has to look first. */
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { readQuality } from '../../../src/ingest/conduct/quality.ts'
import { qualityCsv } from '../../../src/ingest/conduct/quality-csv.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const api = useApi(database)
const { ingest, file } = useIngest(database)

/** A good file, one as a publisher sends it who has lost the column of the status and renamed another, an odd one, a refresh. */
const snapshots = [
  ['2025-01-01', snapshotText(companies(1, 1200))],
  ['2025-02-01', snapshotText(companies(1, 1200, { status: '' })).replace('Registered_Office_Address', 'Address')],
  ['2025-02-01', snapshotText(companies(1, 1200, { status: 'Gone fishing' }))],
  ['2025-03-01', snapshotText([...companies(1, 1195), ...companies(1196, 1200, { status: '' })])],
] as const
const ended: RunRecord[] = []

beforeAll(async () => {
  for (const [asOf, text] of snapshots) {
    ended.push(await ingest('mca-companies', file(`snapshot-${ended.length}.csv`, text), { asOf }))
  }
})

test('a snapshot whose values are mostly missing or unknown waits for an operator, and says which', () => {
  expect(ended.slice(0, 3)).toMatchObject([
    { status: 'succeeded', inserted: 1200 },
    {
      status: 'needs_approval',
      error: { reasons: ['1,200 of 1,200 checked records have no status; at most 50 % expected'] },
    },
    { status: 'needs_approval', error: { reasons: [expect.stringContaining('have a status that is not known')] } },
  ])
})

test('a few odd records of a refresh are no reason to wait', () => {
  expect(ended[3]).toMatchObject({ status: 'succeeded', updated: 5 })
})

test('the quality of each run is told newest first: rejects, repaired, words, empty cells, districts, drift', async () => {
  const runs = await readQuality(database.db, 'mca-companies')
  expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'needs_approval', 'needs_approval', 'succeeded'])
  const [few, odd, waits, taken] = runs
  expect(taken).toMatchObject({ rows_read: 1200, checked: 1200, rejected: 0, header_drift: null, unknown_words: {} })
  expect(taken?.empty_shares).toMatchObject({ status: 0, incorporated_on: 0 })
  expect(taken?.districts_resolved).toBeGreaterThanOrEqual(0)
  expect(waits?.empty_shares['status']).toBe(1)
  expect(waits?.header_drift).toMatchObject({ renamed: [{ before: 'Registered_Office_Address', after: 'Address' }] })
  expect(odd?.unknown_words).toEqual({ status: 1200 })
  expect(few?.checked).toBe(5)

  const told = await api.get('/admin/quality?source=mca-companies&limit=2', operatorToken)
  expect(told.json().data).toMatchObject([
    { run_id: few?.run_id },
    { run_id: odd?.run_id, unknown_words: { status: 1200 } },
  ])
  expect((await api.get('/admin/quality?source=weather', operatorToken)).statusCode).toBe(400)
  expect((await api.get('/admin/quality?source=mca-companies')).statusCode).toBe(401)

  const rows = parse(qualityCsv(runs), { columns: true }) as Record<string, string>[]
  expect(rows.map((row) => [row['run_id'], row['empty_shares.status'], row['unknown_words.status']])).toEqual(
    runs.map((run) => [
      String(run.run_id),
      String(run.empty_shares['status']),
      String(run.unknown_words['status'] ?? 0),
    ]),
  )
})

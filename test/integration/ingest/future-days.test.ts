/** A day that has not come yet would hold back every later file; none is taken, and one that was taken can be lowered. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { listScopes, lowerScopes } from '../../../src/ingest/conduct/lower-scopes.ts'
import { readDropFolder } from '../../../src/ingest/input/drop-folder/drop-folder.ts'
import { pollFolder } from '../../../src/ingest/input/drop-folder/poll-folder.ts'
import { cinOf, companies, snapshotFiles, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, folder, queue } = setup
const snapshot = snapshotFiles(setup)

beforeEach(async () => {
  await emptyRegisters(database.db)
})

const daysFromToday = async (days: number): Promise<string> => {
  const [row] = await database.db.query<{ day: string }>(
    `SELECT (now() AT TIME ZONE 'Asia/Kolkata')::date + $1::integer AS day`,
    [days],
  )
  return row?.day ?? ''
}

test.each([1, 2, 400, 13_000])(
  'a snapshot of %i days from now is refused before a run of it is written',
  async (days) => {
    const day = await daysFromToday(days)
    await expect(ingest('mca-companies', snapshot(companies(1, 3)), { asOf: day })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(day),
    })
    expect(await database.db.query('SELECT FROM ingest.run')).toEqual([])
  },
)

test("a snapshot of today is taken, where the publisher's day has begun too", async () => {
  const run = await ingest('mca-companies', snapshot(companies(1, 3)), { asOf: await daysFromToday(0) })
  expect(run).toMatchObject({ status: 'succeeded', inserted: 3 })
})

test('a dropped file whose name shows a day that has not come is left where it is, and named', async () => {
  const input = join(folder, 'drop')
  mkdirSync(input)
  const dropped = (name: string) => writeFileSync(join(input, name), snapshotText(companies(1, 3)))
  dropped('goa-2062-01-01.csv')
  const drop = await readDropFolder(input)
  if (!drop) throw new Error('the folder is not watched')
  const deps = {
    db: database.db,
    queue,
    signal: new AbortController().signal,
    dataDir: folder,
    settleMs: 1,
    fileBytesMax: 1e6,
  }
  expect(await pollFolder(deps, 'mca-companies', drop)).toMatchObject({
    kind: 'nothing',
    refused: [expect.stringContaining('2062-01-01')],
  })

  dropped('written-ahead.csv')
  utimesSync(join(input, 'written-ahead.csv'), new Date('2062-01-01'), new Date('2062-01-01'))
  expect(await pollFolder(deps, 'mca-companies', drop)).toMatchObject({ kind: 'taken' })
  expect(await database.db.query('SELECT as_of FROM ingest.run')).toEqual([{ as_of: await daysFromToday(0) }])
})

/** As an earlier version let it happen: everything was seen, closed and changed in 2062. */
async function frozen(): Promise<void> {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  await ingest('mca-companies', snapshot(companies(1, 29, { status: 'Dormant' })), { asOf: '2025-02-01' })
  for (const table of ['registry.company', 'ingest.scope', 'ingest.change', 'ingest.run']) {
    await database.db.execute(`UPDATE ${table} SET as_of = '2062-01-01' WHERE as_of = '2025-02-01'`)
  }
  await database.db.execute(`UPDATE registry.company SET closed_on = '2062-01-01' WHERE closed_on IS NOT NULL`)
  await database.db.execute(`UPDATE ingest.change SET after = '{"closed_on": "2062-01-01"}' WHERE kind = 'close'`)
}

test('a source that a day of the future froze is thawed by lowering it, records and history with it', async () => {
  await frozen()
  const later = companies(1, 31, { status: 'Active' })
  expect(await ingest('mca-companies', snapshot(later), { asOf: '2025-03-01' })).toMatchObject({
    status: 'succeeded',
    unchanged: 0,
    skipped: 31,
  })
  const lowered = await database.db.transaction((tx) => lowerScopes(tx, { source: 'mca-companies', to: '2025-02-01' }))
  expect(lowered).toEqual({
    source: 'mca-companies',
    to: '2025-02-01',
    scopes: [{ scope: 'ROC Goa', before: '2062-01-01', after: '2025-02-01' }],
    records: 30,
    changes: 30,
  })
  expect(await listScopes(database.db, 'mca-companies')).toMatchObject([{ scope: 'ROC Goa', as_of: '2025-02-01' }])
  expect(await database.db.query('SELECT closed_on, as_of FROM registry.company WHERE cin = $1', [cinOf(30)])).toEqual([
    { closed_on: '2025-02-01', as_of: '2025-02-01' },
  ])

  expect(await ingest('mca-companies', snapshot(later), { asOf: '2025-03-01' })).toMatchObject({
    status: 'succeeded',
    inserted: 1,
    updated: 30,
    skipped: 0,
  })
  const days = await database.db.query<{ as_of: string; after: unknown }>(
    'SELECT as_of FROM ingest.change WHERE identifier = $1 ORDER BY change_id',
    [cinOf(30)],
  )
  expect(days.map(({ as_of }) => as_of)).toEqual(['2025-01-01', '2025-02-01', '2025-03-01'])
})

test('a day is lowered only, never raised, and a scope that was never seen is named', async () => {
  await ingest('mca-companies', snapshot(companies(1, 3)), { asOf: '2025-01-01' })
  const lower = (to: string, scopes?: string[]) =>
    database.db.transaction((tx) => lowerScopes(tx, { source: 'mca-companies', to, scopes }))
  expect(await lower('2025-06-01')).toMatchObject({ scopes: [], records: 0, changes: 0 })
  await expect(lower('2024-01-01', ['ROC Mumbai'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(lower('2062-01-01')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await listScopes(database.db, 'mca-companies')).toMatchObject([{ as_of: '2025-01-01' }])
})

test('a registration as of a day after that of its snapshot is kept as it stands, and counted', async () => {
  const today = await daysFromToday(0)
  const tomorrow = await daysFromToday(1)
  const lines = [
    'gstin,lgnm,sts,rgdt',
    `27AAACR5055K1Z7,A,Active,${tomorrow}`,
    `27AAACH2702H1Z0,B,Active,${today}`,
    '29AAICA3918J1ZE,C,Active,2017-07-01',
    '',
  ]
  const path = setup.file('ahead.csv', lines.join('\n'))
  const run = await ingest('gst-taxpayers', path, { asOf: today })
  expect(run).toMatchObject({ status: 'succeeded', inserted: 3, rejected: 0 })
  expect(run.report['repaired']).toEqual({ registered_ahead: 1 })
  const rows = await database.db.query('SELECT registered_on::text AS day FROM registry.gst_taxpayer ORDER BY 1')
  expect(rows).toEqual(['2017-07-01', today, tomorrow].map((day) => ({ day })))
})

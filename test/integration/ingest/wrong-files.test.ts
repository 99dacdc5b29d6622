/** A file that is complete and wrong waits for a decision, with figures and an example; ordinary months do not. */
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { readPreview } from '../../../src/ingest/conduct/read-preview.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { cinOf, companies, type SnapshotRow, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, file, queue, dependencies } = setup
const snapshot = snapshotFiles(setup)
const rows = 1100

beforeEach(async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, rows)), { asOf: '2025-01-01' })
})

test.each<[string, string, readonly SnapshotRow[]]>([
  ['day of registration', 'rise in their incorporated_on', companies(1, rows, { month: '06' })],
  ['status', 'move to one and the same status', companies(1, rows, { status: 'Strike Off' })],
])('one whose every %s is wrong', async (_, change, wrong) => {
  const before = await registerContents(database.db)
  const run = await ingest('mca-companies', snapshot(wrong), { asOf: '2025-02-01' })
  expect(run).toMatchObject({
    status: 'needs_approval',
    error: {
      message: expect.stringContaining(`${rows} of ${rows} known records ${change}, ${cinOf(1)} from`),
    },
  })
  expect(await registerContents(database.db)).toEqual(before)
  await approveRun(database.db, queue, run.run_id)
  expect(await runSnapshot(dependencies(), run.run_id)).toMatchObject({ status: 'succeeded', updated: rows })
  expect(await stagingTables(database.db)).toEqual([])
})

/** A part of the records is wrong, and the others are as they were. */
const partly = (share: number, wrong: (n: number) => Omit<SnapshotRow, 'n'>): readonly SnapshotRow[] =>
  companies(1, rows).map(({ n }) => (n <= share * rows ? { n, ...wrong(n) } : { n }))

test.each<[string, string, readonly SnapshotRow[]]>([
  [
    'capitals are a hundred times what they were',
    `66 of ${rows} known records change their authorised_capital by a factor of ten or more, ${cinOf(1)} from "100000.00" to "10000000.00"`,
    partly(0.06, () => ({ capital: 10_000_000 })),
  ],
  [
    'capitals fell',
    `132 of ${rows} known records fall back in their paid_up_capital, ${cinOf(1)} from "100000.00" to "90000.00"`,
    partly(0.12, () => ({ capital: 90_000 })),
  ],
  [
    'statuses are one and the same',
    `440 of ${rows} known records move to one and the same status, ${cinOf(1)} from "Active" to "Struck Off"`,
    partly(0.4, () => ({ status: 'Strike Off' })),
  ],
  [
    'statuses are gone',
    `132 of ${rows} known records lose their status, ${cinOf(1)} from "Active" to nothing`,
    partly(0.12, () => ({ status: '' })),
  ],
  [
    'names are those of their neighbours',
    `65 of ${rows} known records take the name that another record had, ${cinOf(1)} from "COMPANY 1 PRIVATE LIMITED" to "COMPANY 2 PRIVATE LIMITED"`,
    partly(0.06, (n) => ({ name: `COMPANY ${n + 1} PRIVATE LIMITED` })),
  ],
])(
  'one in which some %s waits, and its dry run says the same reasons, with five examples at most',
  async (_, reason, wrong) => {
    const before = await registerContents(database.db)
    const path = snapshot(wrong)
    const dry = await ingest('mca-companies', path, { asOf: '2025-02-01', dryRun: true })
    const { reasons } = await readPreview(database.db, dry.run_id)
    expect(reasons).toContainEqual(expect.stringContaining(reason))
    for (const each of reasons) expect(each.match(/ from "/g)).toHaveLength(5)
    const run = await ingest('mca-companies', path, { asOf: '2025-02-01' })
    expect(run).toMatchObject({ status: 'needs_approval', error: { reasons } })
    expect(await registerContents(database.db)).toEqual(before)
    await approveRun(database.db, queue, run.run_id)
    expect(await runSnapshot(dependencies(), run.run_id)).toMatchObject({
      status: 'succeeded',
      updated: expect.any(Number),
    })
  },
)

/** Registers of any size are small ones somewhere. */
const few = 120
const allOf = (common: Omit<SnapshotRow, 'n'>) => companies(1, few, common)

test.each<[string, 'snapshot' | 'delta', string, readonly SnapshotRow[]]>([
  ['statuses are one and the same', 'snapshot', 'move to one and the same status', allOf({ status: 'Strike Off' })],
  ['capitals are a hundred times what they were', 'snapshot', 'by a factor of ten', allOf({ capital: 10_000_000 })],
  [
    'capitals rise',
    'snapshot',
    'rise in their authorised_capital',
    companies(1, few).map((row) => (row.n <= 101 ? { ...row, capital: 150_000 } : row)),
  ],
  [
    'names are those of their neighbours',
    'snapshot',
    'take the name that another record had',
    companies(1, few).map(({ n }) => ({ n, name: `COMPANY ${(n % few) + 1} PRIVATE LIMITED` })),
  ],
  ['capitals are a hundred times what they were', 'delta', 'by a factor of ten', allOf({ capital: 10_000_000 })],
  [
    'statuses are one and the same',
    'delta',
    'open records move to one and the same status',
    allOf({ status: 'Strike Off' }),
  ],
  ['statuses are gone', 'delta', 'have no status', allOf({ status: '' })],
])('a file of 120 records whose %s waits as a %s', async (_, mode, reason, wrong) => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, few)), { asOf: '2025-01-01' })
  const before = await registerContents(database.db)
  const run = await ingest('mca-companies', snapshot(wrong), { asOf: '2025-02-01', mode })
  expect(run).toMatchObject({ status: 'needs_approval', error: { message: expect.stringContaining(reason) } })
  expect(await registerContents(database.db)).toEqual(before)
})

test('a small file without most of its days of registration waits, although its source never had them', async () => {
  await emptyRegisters(database.db)
  const undated = snapshot(companies(1, 40))
  const text = readFileSync(undated, 'utf8').replaceAll(/,2019-05-0\d,/g, ',,')
  expect(await ingest('mca-companies', file('undated.csv', text))).toMatchObject({
    status: 'needs_approval',
    error: { reasons: ['40 of 40 checked records have no incorporated_on; at most 50 % expected'] },
  })
})

test('a list of changes is taken where it is short, or changes few of many open records, whatever share of itself it changes', async () => {
  const struckOff = snapshot(companies(1, 300, { status: 'Strike Off' }))
  expect(await ingest('mca-companies', struckOff, { asOf: '2025-02-01', mode: 'delta' })).toMatchObject({
    status: 'succeeded',
    updated: 300,
  })
  const larger = snapshot(companies(301, 320, { capital: 10_000_000 }))
  expect(await ingest('mca-companies', larger, { asOf: '2025-02-02', mode: 'delta' })).toMatchObject({
    status: 'succeeded',
    updated: 20,
  })
})

test('an ordinary month is taken: some are struck off, capitals rise, a few companies are renamed and a few fall', async () => {
  const month = partly(0.3, (n) => ({
    ...(n % 3 === 0 && { status: 'Strike Off' }),
    ...(n % 2 === 0 && { capital: 150_000 }),
    ...(n % 25 === 0 && { capital: 5_000_000 }),
    ...(n % 20 === 0 && { capital: 50_000 }),
    ...(n % 10 === 0 && { name: `RENAMED ${n} LIMITED` }),
    ...(n === 7 && { name: 'COMPANY 10 PRIVATE LIMITED' }),
  }))
  expect(await ingest('mca-companies', snapshot(month), { asOf: '2025-02-01' })).toMatchObject({ status: 'succeeded' })
})

test('a month in which many records change, but most stay, is taken; so is a file that fills what was empty', async () => {
  const month = [...companies(1, 300, { status: 'Dormant' }), ...companies(301, rows)]
  expect(await ingest('mca-companies', snapshot(month), { asOf: '2025-02-01' })).toMatchObject({
    status: 'succeeded',
    updated: 300,
  })
  await database.db.execute('UPDATE registry.company SET class = NULL, fingerprint = NULL')
  expect(await ingest('mca-companies', snapshot([...month, { n: rows + 1 }]), { asOf: '2025-03-01' })).toMatchObject({
    status: 'succeeded',
    updated: rows,
  })
})

test('a source that changes as much each time is known by its runs', async () => {
  const status = (at: number) => (at % 2 === 0 ? 'Dormant' : 'Active')
  const outcomes: string[] = []
  for (let at = 0; at < 6; at++) {
    const run = await ingest('mca-companies', snapshot(companies(1, rows, { status: status(at) })), {
      asOf: `2025-02-0${at + 1}`,
    })
    outcomes.push(run.status)
    if (run.status !== 'needs_approval') continue
    await approveRun(database.db, queue, run.run_id)
    await runSnapshot(dependencies(), run.run_id)
  }
  expect(outcomes).toEqual([
    ...Array.from({ length: 3 }, () => 'needs_approval'),
    ...Array.from({ length: 3 }, () => 'succeeded'),
  ])
})

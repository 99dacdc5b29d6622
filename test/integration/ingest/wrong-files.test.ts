/** A file that is complete and wrong waits for a decision, with figures and an example; ordinary months do not. */
import { beforeEach, expect, test } from 'vitest'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { cinOf, companies, type SnapshotRow, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
const snapshot = snapshotFiles(setup)
const rows = 1100

beforeEach(async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, rows)), { asOf: '2025-01-01' })
})

const neighbours = companies(1, rows).map(({ n }) => ({ n, name: `COMPANY ${n + 1} PRIVATE LIMITED` }))

test.each<[string, string, readonly SnapshotRow[]]>([
  ['status', 'from "Active" to "Struck Off"', companies(1, rows, { status: 'Strike Off' })],
  ['name', 'from "COMPANY 1 PRIVATE LIMITED" to "COMPANY 2 PRIVATE LIMITED"', neighbours],
])('one whose every %s is wrong', async (column, change, wrong) => {
  const before = await registerContents(database.db)
  const run = await ingest('mca-companies', snapshot(wrong), { asOf: '2025-02-01' })
  expect(run).toMatchObject({
    status: 'needs_approval',
    error: {
      message: expect.stringContaining(
        `${rows} of ${rows} known records change their ${column}, ${cinOf(1)} ${change}`,
      ),
    },
  })
  expect(await registerContents(database.db)).toEqual(before)
  await approveRun(database.db, queue, run.run_id)
  expect(await runSnapshot(dependencies(), run.run_id)).toMatchObject({ status: 'succeeded', updated: rows })
  expect(await stagingTables(database.db)).toEqual([])
})

test('a month in which many records change, but most stay, is taken; so is a file that fills what was empty', async () => {
  const month = [...companies(1, 500, { status: 'Dormant' }), ...companies(501, rows)]
  expect(await ingest('mca-companies', snapshot(month), { asOf: '2025-02-01' })).toMatchObject({
    status: 'succeeded',
    updated: 500,
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

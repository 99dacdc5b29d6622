/** A run that waits, and what was applied meanwhile: approval knows of it, and so does the test for known content. */
import { beforeEach, expect, test } from 'vitest'
import { runText } from '../../../src/cli/run-text.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { companyHeader } from '../../support/company-lines.ts'
import { cinOf, companies, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
const snapshot = snapshotFiles(setup)

const approve = (runId: number, supersede = false) => approveRun(database.db, queue, runId, { supersede })
const openCompanies = async () =>
  (await database.db.query(`SELECT FROM registry.company WHERE closed_on IS NULL`)).length

beforeEach(async () => {
  await emptyRegisters(database.db)
})

/** A whole file, a truncated one that waits, and the corrected one after it. */
async function truncatedThenCorrected(asOf: readonly [string, string, string]) {
  const whole = await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: asOf[0] })
  const truncated = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: asOf[1] })
  expect([whole.status, truncated.status]).toEqual(['succeeded', 'needs_approval'])
  const path = snapshot(companies(1, 62))
  const corrected = await ingest('mca-companies', path, { asOf: asOf[2] })
  expect(corrected).toMatchObject({ status: 'succeeded', inserted: 2 })
  return { truncated, corrected, path }
}

test('approving a run after a newer one was applied is refused, names that one, and applies nothing', async () => {
  const { truncated, corrected } = await truncatedThenCorrected(['2025-01-01', '2025-02-01', '2025-02-01'])
  const before = await registerContents(database.db)
  await expect(approve(truncated.run_id)).rejects.toMatchObject({
    code: 'RUN_OVERTAKEN',
    message: expect.stringMatching(new RegExp(`import ${corrected.run_id}\\b.*more than its preview.*supersede`, 's')),
    extra: { runs: [corrected.run_id] },
  })
  expect(await getRun(database.db, truncated.run_id)).toMatchObject({ status: 'needs_approval' })
  expect(await registerContents(database.db)).toEqual(before)
})

test('a run that found the register as its file has it counts as applied since, too', async () => {
  const path = snapshot(companies(1, 60))
  await ingest('mca-companies', path, { asOf: '2025-01-01' })
  const truncated = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  const again = await ingest('mca-companies', path, { asOf: '2025-02-01' })
  expect(again.status).toBe('no_op')
  await expect(approve(truncated.run_id)).rejects.toMatchObject({ extra: { runs: [again.run_id] } })
})

test('a run that waits can supersede what was applied since, when the operator says so', async () => {
  const { truncated, path } = await truncatedThenCorrected(['2025-01-01', '2025-02-01', '2025-02-01'])
  await approveRun(database.db, queue, truncated.run_id, { supersede: true, reason: 'struck off in truth' })
  const applied = await runSnapshot(dependencies(), truncated.run_id)
  expect(applied).toMatchObject({ status: 'succeeded', closed: 50 })
  expect(runText(applied)).toContain('decided       approved by operator, over newer runs: struck off in truth')
  expect(await openCompanies()).toBe(12)

  const repaired = await ingest('mca-companies', path, { asOf: '2025-02-02' })
  expect(repaired).toMatchObject({ status: 'succeeded', updated: 50, unchanged: 12 })
  expect(await openCompanies()).toBe(62)
})

test('superseding what is of a later day would change nothing, so it is refused as well', async () => {
  const { truncated, corrected } = await truncatedThenCorrected(['2025-01-01', '2025-02-01', '2025-03-01'])
  await expect(approve(truncated.run_id, true)).rejects.toMatchObject({
    code: 'RUN_OVERTAKEN',
    message: expect.stringContaining('2025-03-01'),
    extra: { runs: [corrected.run_id] },
  })
})

test('a run that is applied between the approval and the merge sends the approved one back to wait', async () => {
  await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: '2025-01-01' })
  const truncated = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  await approve(truncated.run_id)
  const corrected = await ingest('mca-companies', snapshot(companies(1, 62)), { asOf: '2025-02-01' })
  const before = await registerContents(database.db)
  expect(await runSnapshot(dependencies(), truncated.run_id)).toMatchObject({
    status: 'needs_approval',
    approved_at: null,
    decision: null,
    error: { code: 'NEEDS_APPROVAL', message: expect.stringContaining(`import ${corrected.run_id}`) },
  })
  expect(await registerContents(database.db)).toEqual(before)
  await expect(approve(truncated.run_id)).rejects.toMatchObject({ code: 'RUN_OVERTAKEN' })
})

test('content is known by what was applied last, in whatever order the runs were asked for', async () => {
  const first = snapshot(companies(1, 60))
  await ingest('mca-companies', first, { asOf: '2025-01-01' })
  const waiting = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-01-02' })
  const second = snapshot(companies(1, 61))
  await ingest('mca-companies', second, { asOf: '2025-01-02' })
  await approve(waiting.run_id, true)
  await runSnapshot(dependencies(), waiting.run_id)
  expect(await ingest('mca-companies', second, { asOf: '2025-01-02' })).toMatchObject({
    status: 'succeeded',
    updated: 49,
  })
  expect(await ingest('mca-companies', second, { asOf: '2025-01-02' })).toMatchObject({ status: 'no_op' })
})

/** A truncated file of Goa waits, and Kerala is imported before and after its approval, or a file without partitions. */
async function waitingGoa() {
  await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: '2025-01-01' })
  const truncated = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  expect(truncated).toMatchObject({ status: 'needs_approval', scopes: ['ROC Goa'] })
  return truncated
}
const inKerala = (to: number) => snapshot(companies(101, to, { registrar: 'Ernakulam' }))

test('what was applied to other partitions neither refuses an approval nor ends it', async () => {
  const truncated = await waitingGoa()
  expect(await ingest('mca-companies', inKerala(130), { asOf: '2025-02-01' })).toMatchObject({ inserted: 30 })
  await approve(truncated.run_id)
  expect(await ingest('mca-companies', inKerala(131), { asOf: '2025-02-02' })).toMatchObject({ inserted: 1 })
  expect(await runSnapshot(dependencies(), truncated.run_id)).toMatchObject({ status: 'succeeded', closed: 48 })
  expect(await openCompanies()).toBe(12 + 31)
})

test('a file that names no partition may have changed any, so it overtakes what waits', async () => {
  const truncated = await waitingGoa()
  const renamed = `${cinOf(1)},RENAMED PRIVATE LIMITED,Active,100000,100000,Private`
  const unnamed = await ingest('mca-companies', setup.file('no-registrar.csv', `${companyHeader}\n${renamed}\n`), {
    ...{ asOf: '2025-02-01', mode: 'delta' },
  })
  expect(unnamed).toMatchObject({ status: 'succeeded', updated: 1, scopes: [] })
  await expect(approve(truncated.run_id)).rejects.toMatchObject({ extra: { runs: [unnamed.run_id] } })
})

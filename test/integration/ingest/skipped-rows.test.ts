/** Rows that a newer snapshot holds back are a count of their own, whichever way they were compared. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAfterword } from '../../../src/cli/commands/afterword.ts'
import { scheduledRuns } from '../../../src/cli/commands/doctor-inputs.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { skippedEverything } from '../../../src/ingest/conduct/nothing-changed.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { addSchedule } from '../../../src/queue/schedule/schedules.ts'
import { dropSchedule } from '../../../src/queue/schedule/schedules-over-http.ts'
import { companies, type SnapshotRow, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { registerContents, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest } = setup
const snapshot = snapshotFiles(setup)

test('an older snapshot of a part that was seen since is skipped whole, and says so in words', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-05-01' })
  const before = await registerContents(database.db)
  const rows = [...companies(1, 20), ...companies(21, 30, { status: 'Dormant' }), ...companies(90, 99)]
  const run = await ingest('mca-companies', snapshot(rows), { asOf: '2025-01-01' })
  expect(run).toMatchObject({
    status: 'succeeded',
    rows_read: 40,
    ...{ inserted: 0, updated: 0, unchanged: 0, closed: 0, skipped: 40, rejected: 0 },
    report: { reason: expect.stringContaining('2025-01-01') },
  })
  expect(skippedEverything(run)).toBe(true)
  expect(await registerContents(database.db)).toEqual(before)
})

test('a run names the parts of later days whose rows or records it skipped, and no part that its file does not touch', async () => {
  await emptyRegisters(database.db)
  for (const [from, registrar] of [
    [1, 'Goa'],
    [11, 'Delhi'],
    [21, 'Pune'],
  ] as const) {
    await ingest('mca-companies', snapshot(companies(from, from + 3, { registrar })), { asOf: '2025-05-01' })
  }
  const staleOf = async (rows: readonly SnapshotRow[]) => {
    const run = await ingest('mca-companies', snapshot(rows), { asOf: '2025-01-01' })
    return { skipped: run.skipped, scopes: run.report['stale_scopes'] }
  }
  expect(await staleOf(companies(51, 54, { registrar: 'Kanpur' }))).toEqual({ skipped: 0, scopes: [] })
  expect(await staleOf(companies(61, 64, { registrar: 'Pune' }))).toEqual({ skipped: 4, scopes: ['ROC Pune'] })
  // A record of Delhi that the file has in Jaipur.
  expect(await staleOf(companies(11, 11, { registrar: 'Jaipur' }))).toEqual({ skipped: 1, scopes: ['ROC Delhi'] })
})

test('a run that changed nothing says why: everything is known, older than the register, or rejected', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 4)), { asOf: '2025-05-01' })
  const reasonOf = async (rows: readonly SnapshotRow[], asOf: string, dryRun = false) => {
    const before = await registerContents(database.db)
    const { report } = await ingest('mca-companies', snapshot(rows), { mode: 'delta', asOf, dryRun })
    expect((await registerContents(database.db))['registry.company']).toEqual(before['registry.company'])
    return report['reason']
  }
  const broken = { n: 7, name: '' }
  expect(await reasonOf(companies(1, 2), '2025-06-01')).toBe(
    'Nothing changed: all 2 rows say what the register holds already.',
  )
  expect(await reasonOf([...companies(1, 1), broken], '2025-06-01')).toBe(
    'Nothing changed: 1 row says what the register holds already, and 1 row was rejected.',
  )
  expect(await reasonOf([...companies(3, 4), broken], '2025-01-01', true)).toBe(
    'Nothing changed: 2 rows were skipped, because the register of mca-companies was seen as of a later day than 2025-01-01, and 1 row was rejected.',
  )
  expect(await reasonOf([broken, { n: 8, name: '' }], '2025-06-01')).toBe('Nothing changed: all 2 rows were rejected.')
})

test('the same bytes once more are no second run while the first one waits, or where they would be skipped again', async () => {
  await emptyRegisters(database.db)
  const whole = snapshot(companies(1, 40))
  const again = (path: string, options: Parameters<typeof ingest>[2] = {}) => ingest('mca-companies', path, options)
  await again(whole, { asOf: '2025-05-01' })
  const older = snapshot(companies(1, 3, { status: 'Dormant' }))
  const skipped = await again(older, { asOf: '2025-01-01', mode: 'delta' })
  const half = snapshot(companies(1, 10))
  const waiting = await again(half, { asOf: '2025-06-01' })
  expect(waiting.status).toBe('needs_approval')
  const before = await registerContents(database.db)
  expect(await again(half, { asOf: '2025-06-01' })).toMatchObject({
    status: 'no_op',
    report: { reason: `Import ${waiting.run_id} read the same bytes and needs approval.` },
  })
  const onceMore = await again(older, { asOf: '2025-01-01', mode: 'delta' })
  expect(onceMore).toMatchObject({
    status: 'no_op',
    report: { reason: `Import ${skipped.run_id} read the same bytes. ${String(skipped.report['reason'])}` },
  })
  // Whoever ingests them at a terminal is told each time that they changed nothing.
  for (const run of [skipped, onceMore]) {
    expect((await readAfterword(database.db, run, { allowStale: false })).error).toMatchObject({
      code: 'SNAPSHOT_STALE',
    })
  }
  expect(await registerContents(database.db)).toEqual(before)
  expect(await approveRun(database.db, setup.queue, waiting.run_id)).toMatchObject({ status: 'queued' })
  expect(await runSnapshot(setup.dependencies(), waiting.run_id)).toMatchObject({ status: 'succeeded', closed: 30 })
  // Of another day they say something else; and whoever insists is heard.
  expect(await again(older, { asOf: '2025-06-02', mode: 'delta' })).toMatchObject({ status: 'succeeded', updated: 3 })
})

test('whoever imports into the sample world is told how to take it out, unless the file is its own next day', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 4)), { asOf: '2025-05-01', requestedBy: 'sample' })
  const run = await ingest('mca-companies', snapshot(companies(1, 5)), { asOf: '2025-05-02', mode: 'delta' })
  const own = { ...run, requested_by: 'sample' }
  const notesOf = async (of: typeof run) => (await readAfterword(database.db, of, { allowStale: false })).notes
  expect(await notesOf(run)).toEqual([expect.stringContaining('`npx panji sample remove`')])
  expect(await notesOf(own)).toEqual([])
})

test('what another part of the same file brings is ingested', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-05-01' })
  const rows = [...companies(1, 30), ...companies(50, 59, { registrar: 'Mumbai' })]
  const run = await ingest('mca-companies', snapshot(rows), { asOf: '2025-01-01' })
  expect(run).toMatchObject({ inserted: 10, unchanged: 0, skipped: 30, scopes: ['ROC Mumbai'] })
  expect(skippedEverything(run)).toBe(false)
})

test('a record that a newer delta changed is skipped within a part that is otherwise ingested', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-01-01' })
  const delta = snapshot(companies(5, 6, { status: 'Dormant' }))
  await ingest('mca-companies', delta, { asOf: '2025-05-01', mode: 'delta' })
  const rows = [...companies(1, 39), { n: 40, status: 'Dormant' }]
  const run = await ingest('mca-companies', snapshot(rows), { asOf: '2025-03-01' })
  expect(run).toMatchObject({ rows_read: 40, updated: 1, unchanged: 37, skipped: 2 })
})

async function undo(runId: number): Promise<void> {
  const request = { runId, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id } = await requestUndo(database.db, setup.queue, request)
  expect(await runSnapshot(setup.dependencies(), run_id)).toMatchObject({ status: 'succeeded' })
}

test('a record that a newer delta found as it is keeps to that day: no older file changes or closes it', async () => {
  await emptyRegisters(database.db)
  const whole = await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-01-01' })
  const first = await ingest('mca-companies', snapshot(companies(5, 6)), { asOf: '2025-05-01', mode: 'delta' })
  expect(first).toMatchObject({ updated: 0, unchanged: 2 })
  await expect(undo(whole.run_id)).rejects.toThrow(
    `Since import ${whole.run_id}, import ${first.run_id} of mca-companies`,
  )
  const late = snapshot(companies(5, 7, { status: 'Dormant' }))
  expect(await ingest('mca-companies', late, { asOf: '2025-04-01', mode: 'delta' })).toMatchObject({
    ...{ updated: 1, unchanged: 0, skipped: 2 },
  })
  const [, , , , fifth, ...others] = companies(1, 40)
  expect(fifth).toMatchObject({ n: 5 })
  expect(
    await ingest('mca-companies', snapshot([...companies(1, 4), ...others]), { asOf: '2025-03-01' }),
  ).toMatchObject({ closed: 0, skipped: 2 })
  // What confirmed it is undone, so an older file may speak.
  await undo(first.run_id)
  expect(await ingest('mca-companies', late, { asOf: '2025-04-01', mode: 'delta', force: true })).toMatchObject({
    ...{ updated: 2, skipped: 0 },
  })
})

test.each([
  ['an earlier day', '2025-05-01', '2025-06-01'],
  ['the same day', '2025-05-01', '2025-05-01'],
])(
  'of several deltas that found a record as it is, one of %s still counts when the other is undone',
  async (_, one, other) => {
    await emptyRegisters(database.db)
    const whole = await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-01-01' })
    const confirm = (to: number, asOf: string) =>
      ingest('mca-companies', snapshot(companies(5, to)), { asOf, mode: 'delta' })
    const first = await confirm(6, one)
    const second = await confirm(7, other)
    const late = snapshot(companies(5, 7, { status: 'Dormant' }))
    const skips = async (skipped: number) =>
      expect(await ingest('mca-companies', late, { asOf: '2025-04-01', mode: 'delta', dryRun: true })).toMatchObject({
        ...{ status: 'previewed', updated: 3 - skipped, skipped },
      })
    await skips(3)
    await undo(second.run_id)
    await skips(2)
    await expect(undo(whole.run_id)).rejects.toThrow(
      `Since import ${whole.run_id}, import ${first.run_id} of mca-companies`,
    )
    const third = await confirm(5, other)
    await undo(first.run_id)
    await skips(1)
    await undo(third.run_id)
    await skips(0)
    expect(await database.db.query('SELECT FROM ingest.confirmation')).toEqual([])
  },
)

test('a row that was held back is not known: the next file that has it changes the record', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-01-01' })
  await ingest('mca-companies', snapshot(companies(5, 5)), { asOf: '2025-05-01', mode: 'delta' })
  const dormant = [...companies(1, 4), ...companies(5, 5, { status: 'Dormant' }), ...companies(6, 40)]
  expect(await ingest('mca-companies', snapshot(dormant), { asOf: '2025-04-01' })).toMatchObject({
    ...{ updated: 0, unchanged: 39, skipped: 1 },
  })
  const next = snapshot([...dormant, { n: 41 }])
  expect(await ingest('mca-companies', next, { asOf: '2025-06-01' })).toMatchObject({
    ...{ inserted: 1, updated: 1, unchanged: 39, skipped: 0 },
  })
})

const row: fc.Arbitrary<SnapshotRow> = fc.record({
  n: fc.integer({ min: 1, max: 6 }),
  registrar: fc.constantFrom('Goa', 'Goa', 'Mumbai'),
  status: fc.constantFrom('Active', 'Dormant'),
})
type SnapshotSteps = {
  readonly mode: 'snapshot' | 'delta'
  readonly day: number
  readonly rows: readonly SnapshotRow[]
}[]
const steps: fc.Arbitrary<SnapshotSteps> = fc.array(
  fc.record({
    mode: fc.constantFrom('snapshot' as const, 'delta' as const),
    day: fc.integer({ min: 1, max: 5 }),
    rows: fc.array(row, { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 2, maxLength: 5 },
)

/** A row that matches its record and loses to a later row of the same company, with nothing else of its registrar in the file. */
const movedWithinTheFile: SnapshotSteps = [
  { mode: 'delta', day: 3, rows: companies(1, 2, { registrar: 'Mumbai' }) },
  {
    mode: 'snapshot',
    day: 4,
    rows: [...companies(1, 1, { registrar: 'Mumbai' }), ...companies(3, 6), ...companies(1, 1)],
  },
]

test('a part whose only row loses to a later one of the same record is not in the file, so nothing of it is closed', async () => {
  for (const force of [false, true]) {
    await emptyRegisters(database.db)
    await ingest('mca-companies', snapshot(companies(1, 6)), { asOf: '2025-01-03', mode: 'delta' })
    const runs: unknown[] = []
    for (const { mode, day, rows } of movedWithinTheFile) {
      runs.push(await ingest('mca-companies', snapshot(rows), { mode, asOf: `2025-01-0${day}`, force }))
    }
    expect(runs[1], `forced: ${force}`).toMatchObject({
      status: 'succeeded',
      scopes: ['ROC Goa'],
      closed: 0,
      updated: 1,
    })
  }
})

test('counts add up and are the same whether rows were told by their fingerprints or checked', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const counts: unknown[][] = []
      for (const force of [false, true]) {
        await emptyRegisters(database.db)
        // Enough that no small file is suspicious, and a fingerprint to compare with.
        await ingest('mca-companies', snapshot(companies(1, 6)), { asOf: '2025-01-03', mode: 'delta' })
        const seen: unknown[] = []
        for (const { mode, day, rows } of drawn) {
          const asOf = `2025-01-0${day}`
          // A draw may repeat a file; what is a no-op is no matter of counts.
          const path = snapshot([...rows, { n: 900 + seen.length }])
          const run = await ingest('mca-companies', path, { mode, asOf, force })
          const { status, rows_read, inserted, updated, unchanged, skipped, closed, rejected } = run
          if (status === 'succeeded') expect(inserted + updated + unchanged + skipped + rejected).toBe(rows_read)
          seen.push({ status, rows_read, inserted, updated, unchanged, skipped, closed, rejected })
        }
        counts.push(seen)
      }
      expect(counts[0]).toEqual(counts[1])
    }),
    { numRuns: draws(15), examples: [[movedWithinTheFile]] },
  )
}, 240_000)

test('doctor names a scheduled input whose newest run took nothing in, for as long as it is scheduled', async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 40)), { asOf: '2025-05-01' })
  const path = snapshot(companies(1, 41))
  const old = await ingest('mca-companies', path, { asOf: '2025-01-01', requestedBy: 'schedule' })
  const payload = { source: 'mca-companies', input: path }
  const nightly = { cron: '30 2 * * *', timezone: 'Asia/Kolkata', job: 'fetch-source' }
  await addSchedule(database.db, { ...nightly, name: 'goa', payload })
  expect(await scheduledRuns(database.db)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(new RegExp(`run ${old.run_id} of mca-companies ingested nothing.*panji scope list`)),
  })
  // Whose schedule is gone, or reads another address by now, concerns nobody any more.
  await dropSchedule(database.db, 'goa')
  const moved = { ...payload, input: 'https://example.in/moved.csv' }
  await addSchedule(database.db, { ...nightly, name: 'goa', payload: moved })
  expect(await scheduledRuns(database.db)).toMatchObject({ ok: true })
  await addSchedule(database.db, { ...nightly, name: 'again', payload })
  expect(await scheduledRuns(database.db)).toMatchObject({ ok: false })

  await ingest('mca-companies', path, { asOf: '2025-06-01', requestedBy: 'schedule' })
  expect(await scheduledRuns(database.db)).toMatchObject({ ok: true })
  await database.db.execute(`DELETE FROM runtime.schedule WHERE name IN ('goa', 'again')`)
})

test('the database refuses a run whose rows do not add up', async () => {
  await expect(
    database.db.execute(
      `INSERT INTO ingest.run (source, input, mode, as_of, status, rows_read, unchanged, skipped)
       VALUES ('mca-companies', 'x', 'snapshot', '2025-01-01', 'succeeded', 3, 1, 1)`,
    ),
  ).rejects.toMatchObject({ code: '23514' })
})

/** A run is stopped wherever it stands, with nothing applied; and what it would have done is shown before it is done. */
import { readdirSync, readlinkSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { fetchBounds } from '../../../config/input-bounds.ts'
import { loadFigures } from '../../../src/cli/confirm/confirmed-commands.ts'
import { approveRun, discardRun } from '../../../src/ingest/conduct/approval.ts'
import { cancelRun, finishCancelling } from '../../../src/ingest/conduct/cancel.ts'
import { readPreview } from '../../../src/ingest/conduct/read-preview.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { cinOf, companies, snapshotFiles, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { serveFile } from '../../support/file-server.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
const snapshot = snapshotFiles(setup)

beforeEach(async () => {
  await emptyRegisters(database.db)
  await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: '2025-01-01' })
})
const cancel = (runId: number) => cancelRun(database.db, runId, { by: 'operator' })
const queued = async (rows: ReturnType<typeof companies>) =>
  database.db.transaction((tx) =>
    requestRun(tx, queue, { source: 'mca-companies', input: snapshot(rows), asOf: '2025-02-01' }),
  )

/** Of the test's folder, in this process; where the system does not tell, none. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return []
  const descriptors = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // The listing itself had one.
      return ''
    }
  })
  return descriptors.filter((path) => path.startsWith(setup.folder))
}

test.each(['claimed', 'fetched', 'staging', 'staged', 'matched', 'checked', 'merge-written', 'merge-closed', 'merged'])(
  'a run that is cancelled at %s applies nothing, leaves nothing behind and lets the next one in',
  async (point) => {
    const before = await registerContents(database.db)
    const { runId } = await queued(companies(1, 63))
    const reached = async (at: string) => {
      if (at === point) await cancel(runId)
    }
    const record = await runSnapshot({ ...dependencies(), reached }, runId)
    expect(record).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } })
    expect(await registerContents(database.db)).toEqual(before)
    expect(await stagingTables(database.db)).toEqual([])
    expect(openFiles()).toEqual([])
    expect(await runSnapshot(dependencies(), runId)).toMatchObject({ status: 'cancelled' })
    expect(await ingest('mca-companies', snapshot(companies(1, 63)), { asOf: '2025-02-01' })).toMatchObject({
      status: 'succeeded',
      inserted: 3,
    })
  },
)

test.each(['cancel', 'discard'])(
  '`panji %s` asks about a run that has not ended, and refuses one that has',
  async (path) => {
    const asks = async (runId: number) =>
      (await loadFigures(path))?.({ db: database.db, path, args: [String(runId)], options: {} })
    const { runId } = await queued(companies(1, 63))
    expect(await asks(runId)).toContain('is queued: 0 rows read, 0 rejected. It ends, and nothing of it is applied.')
    await runSnapshot(dependencies(), runId)
    expect(await asks(runId), 'there is nothing to confirm').toBeUndefined()
    await expect(cancel(runId)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(discardRun(database.db, runId)).rejects.toMatchObject({ code: 'CONFLICT' })
  },
)

test('a run whose source fell silent is stopped at once, and not when the wait for the source is over', async () => {
  const server = await serveFile(Buffer.from(snapshotText(companies(1, 63))))
  server.faults.push('silent')
  const { runId } = await database.db.transaction((tx) =>
    requestRun(tx, queue, { source: 'mca-companies', input: server.url, asOf: '2025-02-01' }),
  )
  const begunAt = performance.now()
  const running = runSnapshot({ ...dependencies(), allowPrivateSources: true }, runId)
  await expect.poll(() => server.seen.length, { timeout: 60_000 }).toBe(1)
  await cancel(runId)
  expect(await running).toMatchObject({ status: 'cancelled' })
  expect(performance.now() - begunAt).toBeLessThan(fetchBounds.silenceMsMax / 2)
})

test('what is queued or waits is cancelled, and what has ended is not', async () => {
  const { runId } = await queued(companies(1, 60))
  expect(await cancel(runId)).toMatchObject({ status: 'cancelled' })
  const waiting = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  expect(waiting.status).toBe('needs_approval')
  expect(await cancel(waiting.run_id)).toMatchObject({ status: 'cancelled' })
  expect(await stagingTables(database.db)).toEqual([])
  await expect(approveRun(database.db, queue, waiting.run_id)).rejects.toMatchObject({ code: 'CONFLICT' })

  const applied = await ingest('mca-companies', snapshot(companies(1, 61)), { asOf: '2025-02-01' })
  await expect(cancel(applied.run_id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`panji undo ${applied.run_id}`),
  })
  expect(await finishCancelling(database.db, applied.run_id, 'operator')).toMatchObject({ status: 'succeeded' })
  await expect(cancel(runId)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a run that takes another back is cancelled as any other', async () => {
  const run = await ingest('mca-companies', snapshot(companies(1, 61)), { asOf: '2025-02-01' })
  const before = await registerContents(database.db)
  const wish = { runId: run.run_id, through: false, reason: 'x', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(database.db, queue, wish)
  const reached = async (at: string) => {
    if (at === 'undo-withdrawn') await cancel(undoId)
  }
  expect(await runSnapshot({ ...dependencies(), reached }, undoId)).toMatchObject({ status: 'cancelled' })
  expect(await registerContents(database.db)).toEqual(before)
})

const mixed = () => [...companies(1, 40), ...companies(41, 50, { status: 'Dormant' }), ...companies(70, 74)]

test('a dry run shows what would be written, by scope and by example, and changes nothing', async () => {
  const before = [await registerContents(database.db), await database.db.query('SELECT * FROM ingest.scope')]
  const run = await ingest('mca-companies', snapshot(mixed()), { asOf: '2025-02-01', dryRun: true })
  expect(run).toMatchObject({
    status: 'previewed',
    ...{ rows_read: 55, inserted: 5, updated: 10, unchanged: 40, skipped: 0, closed: 10, rejected: 0 },
  })
  expect([await registerContents(database.db), await database.db.query('SELECT * FROM ingest.scope')]).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([])
  const preview = await readPreview(database.db, run.run_id)
  expect(preview).toMatchObject({
    reasons: [],
    scopes: [{ scope: 'ROC Goa', inserted: 5, updated: 10, closed: 10, open: 60 }],
  })
  expect(preview.sample.inserted[0]).toMatchObject({
    identifier: cinOf(70),
    fields: { name: 'COMPANY 70 PRIVATE LIMITED', status: 'Active' },
  })
  expect(preview.sample.updated[0]).toEqual({
    identifier: cinOf(41),
    changes: [
      { field: 'status', before: 'Active', after: 'Dormant' },
      { field: 'status_source', before: 'Active', after: 'Dormant' },
    ],
  })
  expect(preview.sample.closed[0]).toMatchObject({ identifier: cinOf(51), scope: 'ROC Goa' })

  const applied = await ingest('mca-companies', snapshot(mixed()), { asOf: '2025-02-01' })
  expect(applied).toMatchObject({ status: 'succeeded', inserted: 5, updated: 10, unchanged: 40, closed: 10 })
})

test('a dry run of known content, and one that would wait, say so without noting anything', async () => {
  const path = snapshot(companies(1, 60))
  const before = await database.db.query('SELECT * FROM ingest.scope')
  expect(await ingest('mca-companies', path, { asOf: '2025-06-01', dryRun: true })).toMatchObject({
    status: 'previewed',
    unchanged: 60,
    closed: 0,
  })
  const short = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-06-01', dryRun: true })
  expect(short).toMatchObject({ status: 'previewed', closed: 48 })
  expect((await readPreview(database.db, short.run_id)).reasons).toHaveLength(1)
  expect(await database.db.query('SELECT * FROM ingest.scope')).toEqual(before)
})

test('a run that waits has the same preview', async () => {
  const run = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  expect(await readPreview(database.db, run.run_id)).toMatchObject({
    ...{ inserted: 0, updated: 0, unchanged: 12, closed: 48 },
    reasons: [expect.stringContaining('48 of 60 open records of ROC Goa')],
    scopes: [{ scope: 'ROC Goa', closed: 48, open: 60 }],
  })
})

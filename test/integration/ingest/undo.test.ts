/** A run that was applied is taken back: every table then stands as it did before it, and so does every day of the past. */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { generateSnapshots } from '../../../sample/generate-snapshots.ts'
import { details } from '../../../src/api/operations/details/index.ts'
import type { Db } from '../../../src/db/db.ts'
import { pruneHistory } from '../../../src/ingest/after/prune-history.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { readHistory } from '../../../src/registry/history/read-history.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { type CompanyStep, cinOf, companyFile, companySteps, dayOf } from '../../support/company-history.ts'
import { cinOf as cinOfRow, companies, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { draws, figure } from '../../support/figures.ts'
import { stagingTables, useIngest, writtenTables } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
const snapshot = snapshotFiles(setup)

beforeEach(async () => {
  await emptyRegisters(database.db)
  await database.db.execute('TRUNCATE ingest.history_retention')
})

const ask = (runId: number, through = false) =>
  requestUndo(database.db, queue, { runId, through, reason: 'the wrong file', requestedBy: 'operator' })
const undo = async (runId: number, through = false): Promise<RunRecord> =>
  runSnapshot(dependencies(), (await ask(runId, through)).run_id)

/** Takes a file in whatever the guards say. */
async function applied(source: string, path: string, asOf: string, mode: 'snapshot' | 'delta'): Promise<RunRecord> {
  const run = await ingest(source, path, { asOf, mode, force: true, deps: { shadowTableFrom: 0 } })
  if (run.status !== 'needs_approval') return run
  await approveRun(database.db, queue, run.run_id)
  return runSnapshot({ ...dependencies(), shadowTableFrom: 0 }, run.run_id)
}

/** Everything but the fingerprints, which only spare work, of the rows, and whether they or the history tell of their inserts; bookkeeping included. */
async function contents(db: Db): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  // A version only rises.
  const tables = Object.entries(writtenTables).filter(([table]) => table !== 'registry.version')
  for (const [table, order] of tables) {
    const rows = await db.query<{ row: object }>(
      `SELECT to_jsonb(t) - ARRAY['fingerprint', 'insert_change_id', 'insert_record_no'] AS row FROM ${table} t ORDER BY ${order}`,
    )
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

async function detailsOfDays(api: BareApi): Promise<unknown[]> {
  const found: unknown[] = []
  for (let n = 1; n <= 4; n++) {
    for (let day = -1; day <= 8; day++) {
      const reply = await api.app.inject(`/api/company/details?cin=${cinOf(n)}&as_of=${dayOf(day)}`)
      found.push([n, day, reply.statusCode === 200 ? { ...reply.json(), rate_limit: 0 } : reply.statusCode])
    }
  }
  return found
}

test('apply and undo leave equal tables, through any runs that came after, and equal days of the past', async () => {
  const api = await bareApi({ db: database.db }, routesOf(details))
  await fc.assert(
    fc.asyncProperty(companySteps, fc.nat(), async (steps, choice) => {
      await emptyRegisters(database.db)
      const from = choice % steps.length
      const apply = async (step: CompanyStep) =>
        applied('mca-companies', setup.file('step.csv', companyFile(step)), dayOf(step.day), step.mode)
      for (const step of steps.slice(0, from)) await apply(step)
      const before = [await contents(database.db), await detailsOfDays(api)]
      const first = await apply(steps[from] as CompanyStep)
      for (const step of steps.slice(from + 1)) await apply(step)
      const record = await undo(first.run_id, true)
      expect(record).toMatchObject({ status: 'succeeded', inserted: 0, unchanged: 0, rejected: 0 })
      expect(record.undoes?.at(-1)).toBe(first.run_id)
      expect([await contents(database.db), await detailsOfDays(api)]).toEqual(before)
      // What came after can be ingested again, and ends where it did without the undo.
      const again = await apply(steps[from] as CompanyStep)
      expect([again.inserted, again.updated, again.closed, again.skipped]).toEqual([
        first.inserted,
        first.updated,
        first.closed,
        first.skipped,
      ])
    }),
    { numRuns: draws(12) },
  )
}, 240_000)

test('a run of any register is taken back: what it entered, changed and closed', async () => {
  const read = async (seed: number) => {
    const outDir = join(setup.folder, `seed-${seed}`)
    mkdirSync(outDir)
    const { files } = await generateSnapshots({
      ...{ outDir, seed, companies: 60, gst: 60, directors: 60 },
      signal: new AbortController().signal,
    })
    return new Map(files.map(({ source, path }) => [source, readFileSync(path, 'utf8')]))
  }
  const [first, second] = [await read(1), await read(2)]
  let touched = 0
  for (const [source, text] of first) {
    await applied(source, setup.file('first.csv', text), '2025-01-01', 'snapshot')
    const before = await contents(database.db)
    const lines = text.split('\n').filter((line) => line !== '')
    const others = (second.get(source) ?? '').split('\n').slice(1)
    const mixed = [
      ...lines.filter((_, index) => index === 0 || index % 3 !== 0),
      ...others.filter((line) => line !== ''),
    ]
    const changed = mixed
      .join('\n')
      .replaceAll('Active', 'Dormant')
      .replaceAll('Director,', 'Manager,')
      .replaceAll('@', '@x.')
    const run = await applied(source, setup.file('second.csv', `${changed}\n`), '2025-02-01', 'snapshot')
    expect(run, source).toMatchObject({ status: 'succeeded' })
    expect(run.inserted, source).toBeGreaterThan(0)
    touched += run.updated + run.closed
    expect(await undo(run.run_id), source).toMatchObject({ status: 'succeeded' })
    expect(await contents(database.db), source).toEqual(before)
  }
  expect(touched).toBeGreaterThan(figure(15, 50))
}, 120_000)

test('a run whose records a later one changed is refused, which is named, and is taken back with it when told so', async () => {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  const before = await contents(database.db)
  const wrong = await ingest('mca-companies', snapshot([...companies(1, 30), { n: 31 }]), { asOf: '2025-02-01' })
  const other = await ingest('mca-companies', snapshot([{ n: 90 }]), { asOf: '2025-02-02', mode: 'delta' })
  const later = await ingest('mca-companies', snapshot([{ n: 31, status: 'Dormant' }]), {
    asOf: '2025-02-03',
    mode: 'delta',
  })
  await expect(ask(wrong.run_id)).rejects.toMatchObject({ code: 'RUN_OVERTAKEN', extra: { runs: [later.run_id] } })
  const undone = await undo(wrong.run_id, true)
  expect(undone).toMatchObject({
    status: 'succeeded',
    undoes: [later.run_id, other.run_id, wrong.run_id],
    report: { withdrawn: 2, restored: 0, reason: expect.stringContaining('the wrong file') },
  })
  expect(await contents(database.db)).toEqual(before)
  await expect(ask(wrong.run_id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(ask(undone.run_id)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a later run of other records stays as it is', async () => {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  const wrong = await ingest('mca-companies', snapshot([{ n: 1, status: 'Dormant' }]), {
    asOf: '2025-02-01',
    mode: 'delta',
  })
  await ingest('mca-companies', snapshot([{ n: 2, status: 'Dormant' }]), { asOf: '2025-02-02', mode: 'delta' })
  expect(await undo(wrong.run_id)).toMatchObject({ status: 'succeeded', updated: 1 })
  expect(
    await database.db.query('SELECT cin, status FROM registry.company WHERE cin = ANY ($1) ORDER BY cin', [
      [cinOfRow(1), cinOfRow(2)],
    ]),
  ).toEqual([
    { cin: cinOfRow(1), status: 'Active' },
    { cin: cinOfRow(2), status: 'Dormant' },
  ])
})

test('once the history was thinned out, an import of an earlier day is taken back where it came since, and is refused where it came before', async () => {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  const early = await ingest('mca-companies', snapshot([{ n: 1, status: 'Dormant' }]), {
    asOf: '2025-01-02',
    mode: 'delta',
  })
  await ingest('mca-companies', snapshot([{ n: 3, status: 'Dormant' }]), { asOf: '2025-01-03', mode: 'delta' })
  await pruneHistory(database.db, '2025-03-01')
  const before = await contents(database.db)
  const wrong = await ingest('mca-companies', snapshot([{ n: 2, status: 'Dormant' }, { n: 3 }, { n: 31 }]), {
    asOf: '2025-02-01',
    mode: 'delta',
  })
  await expect(ask(early.run_id)).rejects.toMatchObject({ code: 'HISTORY_NOT_RETAINED' })
  await expect(ask(early.run_id, true)).rejects.toMatchObject({ code: 'HISTORY_NOT_RETAINED' })
  expect(wrong).toMatchObject({ inserted: 1, updated: 2 })
  expect(await undo(wrong.run_id)).toMatchObject({ status: 'succeeded', updated: 2 })
  expect(await contents(database.db)).toEqual(before)
})

test('what was taken back is not known content, so the same file is ingested again', async () => {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  const path = snapshot(companies(1, 33))
  const run = await ingest('mca-companies', path, { asOf: '2025-02-01' })
  await undo(run.run_id)
  expect(await ingest('mca-companies', path, { asOf: '2025-02-01' })).toMatchObject({
    status: 'succeeded',
    inserted: 3,
  })
  expect(await ingest('mca-companies', path, { asOf: '2025-02-01' })).toMatchObject({ status: 'no_op' })
})

test('a history tells of the run that was taken back and of the one that took it back, with the values of both', async () => {
  await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
  const wrong = await ingest('mca-companies', snapshot([{ n: 90, status: 'Dormant' }]), {
    asOf: '2025-02-01',
    mode: 'delta',
  })
  const undone = await undo(wrong.run_id)
  await ingest('mca-companies', snapshot([{ n: 90, name: 'RIGHT LIMITED' }]), { asOf: '2025-02-02', mode: 'delta' })
  const page = await readHistory(database.db, {
    ...{ entity: 'company', identifier: cinOfRow(90), withDirectorships: false, page: 1, limit: 10 },
  })
  const told = page?.data.map(({ kind, run_id, undone_by, changes }) => {
    const name = changes.find(({ field }) => field === 'companyName')
    return [kind, run_id, undone_by, name?.before, name?.after]
  })
  expect(told).toEqual([
    ['insert', undone.run_id + 1, null, null, 'RIGHT LIMITED'],
    ['withdraw', undone.run_id, null, 'COMPANY 90 PRIVATE LIMITED', null],
    ['insert', wrong.run_id, undone.run_id, null, 'COMPANY 90 PRIVATE LIMITED'],
  ])
})

test('only a run that was applied can be taken back; of others the refusal says what does instead', async () => {
  const path = snapshot(companies(1, 60))
  await ingest('mca-companies', path, { asOf: '2025-01-01' })
  const waiting = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-02-01' })
  const known = await ingest('mca-companies', path, { asOf: '2025-02-01' })
  await expect(ask(waiting.run_id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Discard it'),
  })
  await expect(ask(known.run_id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('`panji scope lower mca-companies`'),
  })
  await expect(ask(999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test.each(['claimed', 'undo-withdrawn', 'undo-restored', 'undone'])(
  'an attempt that dies at %s leaves nothing behind, and the next one takes the run back',
  async (gap) => {
    await ingest('mca-companies', snapshot(companies(1, 30)), { asOf: '2025-01-01' })
    const before = await contents(database.db)
    const rows = [...companies(2, 30, { status: 'Dormant' }), { n: 31 }]
    const run = await ingest('mca-companies', snapshot(rows), { asOf: '2025-02-01' })
    const after = await contents(database.db)
    const { run_id: undoId } = await ask(run.run_id)
    const reached = async (point: string) => {
      if (point === gap) throw new Error('the process died')
    }
    await expect(runSnapshot({ ...dependencies(), reached, finalAttempt: false }, undoId)).rejects.toThrow('died')
    expect(await contents(database.db)).toEqual(after)
    expect(await runSnapshot(dependencies(), undoId)).toMatchObject({ status: 'succeeded', undoes: [run.run_id] })
    expect(await contents(database.db)).toEqual(before)
    expect(await runSnapshot(dependencies(), undoId)).toMatchObject({ status: 'succeeded' })
    expect(await contents(database.db)).toEqual(before)
    expect(await stagingTables(database.db)).toEqual([])
  },
)

test('an undo of all later imports undoes exactly those that were shown and requested, or nothing', async () => {
  const day = (n: number) => `2026-01-0${n}`
  const take = (to: number, asOf: string) => ingest('mca-companies', snapshot(companies(1, to)), { asOf })
  const first = await take(30, day(1))
  const wrong = await take(31, day(2))
  const next = await take(32, day(3))
  const shown = [next.run_id, wrong.run_id]
  const requested = await ask(wrong.run_id, true)
  const since = await take(33, day(4))
  const before = await contents(database.db)
  const refused = {
    code: 'RUN_OVERTAKEN',
    message: `Nothing was undone: imports ${shown.join(', ')} were to be undone, but it would be imports ${[since.run_id, ...shown].join(', ')} now. Request the undo again.`,
    extra: { runs: [since.run_id] },
  }
  await expect(runSnapshot(dependencies(), requested.run_id)).rejects.toMatchObject(refused)
  const asked = { runId: wrong.run_id, through: true, reason: 'the wrong file', requestedBy: 'operator' } as const
  await expect(requestUndo(database.db, queue, { ...asked, runs: shown })).rejects.toMatchObject(refused)
  expect(await contents(database.db)).toEqual(before)
  const again = await requestUndo(database.db, queue, { ...asked, runs: [since.run_id, ...shown] })
  expect(await runSnapshot(dependencies(), again.run_id)).toMatchObject({ undoes: [since.run_id, ...shown] })
  expect(await undo(first.run_id)).toMatchObject({ status: 'succeeded', report: { withdrawn: 30 } })
})

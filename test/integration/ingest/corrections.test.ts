/**
 * Every operation by which an operator corrects a register: records, history and parts, all of them, stand after it as a
 * model that shares nothing with the product says.
 */
import { beforeEach, expect, test } from 'vitest'
import { mcaCompanies } from '../../../config/sources/mca-companies.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { pruneHistory } from '../../../src/ingest/after/prune-history.ts'
import { removeSample } from '../../../src/ingest/after/remove-sample.ts'
import { approveRun, discardRun } from '../../../src/ingest/conduct/approval.ts'
import { cancelRun } from '../../../src/ingest/conduct/cancel.ts'
import { lowerScopes } from '../../../src/ingest/conduct/lower-scopes.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { getRun, type RunRecord } from '../../../src/ingest/run/runs.ts'
import { sampleRequester } from '../../../src/ingest/run/sample-world.ts'
import { keepInput } from '../../../src/ingest/run/source-address.ts'
import { type OracleRun, RegisterOracle } from '../../oracle/register.ts'
import { cinOf, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters, emptyTables } from '../../support/empty-tables.ts'
import { registerContents, registryFixture, testSecretKey, useIngest } from '../../support/ingest.ts'
import { registerState } from '../../support/register-state.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { ingest, queue, dependencies } = setup
const columns = ['name', 'status', 'roc_code']
let model = new RegisterOracle(columns, 'roc_code')
let files = 0

async function begin(): Promise<void> {
  await emptyRegisters(database.db)
  await emptyTables(database.db, ['ingest.history_retention'])
  model = new RegisterOracle(columns, 'roc_code')
}
beforeEach(begin)

interface Company {
  readonly n: number
  readonly name: string
  readonly status: string
  readonly part: string
}
const oracleRows = (rows: readonly Company[]) =>
  rows.map(({ n, name, status, part }) => ({ id: cinOf(n), cells: { name, status, roc_code: part } }))

const rowsOf = (from: number, to: number, common: Partial<Omit<Company, 'n'>> = {}): Company[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ n: from + at, name: `COMPANY ${from + at} PRIVATE LIMITED`, status: 'Active', part: 'ROC Goa' },
    ...common,
  }))

const fileOf = (rows: readonly Company[]): string =>
  setup.file(
    `rows-${++files}.csv`,
    snapshotText(rows.map(({ part, ...row }) => ({ ...row, registrar: part.replace('ROC ', '') }))),
  )

type Options = Omit<OracleRun, 'run'> & { readonly requestedBy?: string }

async function request(rows: readonly Company[], { day, mode, requestedBy }: Options): Promise<RunRecord> {
  const by = requestedBy === undefined ? {} : { requestedBy }
  return ingest('mca-companies', fileOf(rows), { asOf: day, mode, force: true, ...by })
}

/** Takes rows in, by the product and by the model. */
async function takeIn(rows: readonly Company[], options: Options): Promise<number> {
  const run = await request(rows, options)
  if (run.status === 'needs_approval') {
    await approveRun(database.db, queue, run.run_id, { supersede: true })
    await runSnapshot(dependencies(), run.run_id)
  }
  model.takeIn({ run: run.run_id, ...options }, oracleRows(rows))
  return run.run_id
}
const snapshot = (rows: readonly Company[], day: string) => takeIn(rows, { day, mode: 'snapshot' })
const delta = (rows: readonly Company[], day: string) => takeIn(rows, { day, mode: 'delta' })

const lower = async (to: string, parts?: readonly string[]): Promise<void> => {
  await database.db.transaction((tx) => lowerScopes(tx, { source: 'mca-companies', to, scopes: parts }))
  model.lower(to, parts)
}

const askBack = (runId: number, through: boolean) =>
  requestUndo(database.db, queue, { runId, through, reason: 'the wrong file', requestedBy: 'operator' })

async function takeBack(runId: number, through = false): Promise<void> {
  const { run_id } = await askBack(runId, through)
  const undone = await runSnapshot(dependencies(), run_id)
  expect(undone).toMatchObject({ status: 'succeeded', undoes: model.taken(runId, through) })
  model.takeBack({ run: run_id }, model.taken(runId, through))
}

async function expectAsModelled(): Promise<void> {
  const state = await registerState(database.db, mcaCompanies, columns)
  expect(state).toEqual({ records: model.records(), history: model.history(), parts: model.parts() })
}

test('lowering a day lowers days alone: no open record is closed, and of closed ones the day', async () => {
  await snapshot([...rowsOf(1, 20), ...rowsOf(21, 24, { part: 'ROC Mumbai' })], '2025-01-01')
  await snapshot([...rowsOf(1, 19), ...rowsOf(21, 24, { part: 'ROC Mumbai', status: 'Dormant' })], '2025-06-01')
  await expectAsModelled()
  await lower('2025-02-01', ['ROC Mumbai'])
  await expectAsModelled()
  await lower('2024-12-01')
  await expectAsModelled()
  expect(await database.db.query('SELECT FROM registry.company WHERE closed_on IS NULL')).toHaveLength(23)
  await snapshot([...rowsOf(1, 20), ...rowsOf(21, 25, { part: 'ROC Mumbai' })], '2025-01-15')
  await expectAsModelled()
})

test("of runs taken back one after the other none leaves its day: the part's day is that of the runs that stand", async () => {
  const first = await snapshot(rowsOf(1, 20), '2025-01-01')
  const second = await snapshot(rowsOf(1, 20), '2025-06-01')
  const third = await snapshot(rowsOf(1, 20), '2025-07-01')
  await takeBack(second)
  await expectAsModelled()
  await takeBack(third)
  await expectAsModelled()
  await takeBack(first)
  await expectAsModelled()
  await snapshot(rowsOf(1, 20), '2024-06-01')
  await expectAsModelled()
  expect(await database.db.query('SELECT FROM registry.company')).toHaveLength(20)
})

test('a run whose records a later snapshot saw again is not taken back alone; the refusal names that snapshot and records', async () => {
  const first = await snapshot(rowsOf(1, 20), '2025-01-01')
  const second = await snapshot(rowsOf(1, 20), '2025-06-01')
  await expect(askBack(first, false)).rejects.toMatchObject({
    code: 'RUN_OVERTAKEN',
    message: expect.stringContaining('U74999GA2019PTC000001'),
    extra: { runs: [second] },
  })
  await expectAsModelled()
  await takeBack(first, true)
  await expectAsModelled()
})

test('a run is taken back alone where later snapshots are of other parts', async () => {
  await snapshot(rowsOf(1, 20), '2025-01-01')
  const wrong = await delta(rowsOf(1, 2, { status: 'Dormant' }), '2025-02-01')
  await snapshot(rowsOf(31, 40, { part: 'ROC Mumbai' }), '2025-03-01')
  await takeBack(wrong)
  await expectAsModelled()
})

test('discarding, cancelling and a superseding approval change what they say and nothing else', async () => {
  await snapshot(rowsOf(1, 60), '2025-01-01')
  const half = { day: '2025-02-01', mode: 'snapshot' } as const
  const waiting = await request(rowsOf(1, 20), half)
  expect(waiting).toMatchObject({ status: 'needs_approval' })
  await discardRun(database.db, waiting.run_id)
  await expectAsModelled()

  const { runId } = await database.db.transaction((tx) =>
    requestRun(tx, queue, {
      ...{
        source: 'mca-companies',
        ...keepInput(fileOf(rowsOf(1, 5)), testSecretKey),
        asOf: '2025-02-01',
        force: true,
      },
    }),
  )
  await cancelRun(database.db, runId, { by: 'operator' })
  await expectAsModelled()

  const older = await request(rowsOf(1, 20), half)
  await delta(rowsOf(2, 3, { status: 'Dormant' }), '2025-02-01')
  await approveRun(database.db, queue, older.run_id, { supersede: true })
  await runSnapshot(dependencies(), older.run_id)
  model.takeIn({ run: older.run_id, ...half }, oracleRows(rowsOf(1, 20)))
  await expectAsModelled()
})

test('thinning out the history changes no record and no part, and leaves the newest change of each record', async () => {
  await snapshot(rowsOf(1, 20), '2025-01-01')
  await delta(rowsOf(1, 2, { status: 'Dormant' }), '2025-02-01')
  await delta(rowsOf(2, 3, { status: 'Under Liquidation' }), '2025-03-01')
  await pruneHistory(database.db, '2025-02-15')
  model.prune('2025-02-15')
  await expectAsModelled()
  expect(model.history()).toHaveLength(22)
})

test('rejects that are fixed and come as a delta change their own records, and none where the part was seen later', async () => {
  await snapshot(rowsOf(1, 20), '2025-01-01')
  await delta([...rowsOf(4, 4, { name: 'FIXED LIMITED' }), ...rowsOf(21, 21)], '2025-01-01')
  await expectAsModelled()
  await snapshot(rowsOf(1, 21), '2025-02-01')
  const late = await delta(rowsOf(22, 22), '2025-01-01')
  await expectAsModelled()
  expect(await getRun(database.db, late)).toMatchObject({
    ...{ skipped: 1, inserted: 0 },
    report: { reason: expect.stringContaining('skipped, because') },
  })
})

test('a suppression changes who is shown, and no row, history or part of a register', async () => {
  await ingest('mca-directors', registryFixture('mca-directors.csv'), { asOf: '2025-01-01' })
  await snapshot(rowsOf(1, 5), '2025-01-01')
  const [director] = await database.db.query<{ din: string }>('SELECT min(din) AS din FROM registry.director')
  const stored = async () =>
    Object.entries(await registerContents(database.db)).filter(([table]) => !/^feed|version$/.test(table))
  const before = await stored()
  await database.db.transaction((tx) =>
    addSuppressions(tx, queue, {
      objections: [{ kind: 'din', value: director?.din ?? '' }],
      actor: 'operator',
    }),
  )
  expect(await stored()).toEqual(before)
  await expectAsModelled()
})

test('removing the sample leaves the records of real files, their history and their parts', async () => {
  const sampled = await request(rowsOf(1, 20), { day: '2025-03-01', mode: 'snapshot', requestedBy: sampleRequester })
  expect(sampled).toMatchObject({ inserted: 20 })
  const real = await snapshot(rowsOf(31, 40, { part: 'ROC Mumbai' }), '2025-01-01')
  await database.db.transaction((tx) => removeSample(tx, queue))
  await expectAsModelled()
  await takeBack(real)
  await expectAsModelled()
})

test('what a real whole file found as the sample had it stays with the rest of the file, and what it did not find goes', async () => {
  const options = { day: '2025-03-01', mode: 'snapshot' } as const
  const sampled = await takeIn([...rowsOf(1, 20), ...rowsOf(31, 35, { part: 'ROC Mumbai' })], {
    ...options,
    requestedBy: sampleRequester,
  })
  const real = await takeIn(rowsOf(1, 21), options)
  const later = await takeIn(rowsOf(22, 23), { day: '2025-03-01', mode: 'delta', requestedBy: sampleRequester })
  await database.db.transaction((tx) => removeSample(tx, queue))
  model.removeSample([sampled, later])
  await expectAsModelled()
  const left = await database.db.query<{ cin: string }>('SELECT cin FROM registry.company ORDER BY cin')
  expect(left.map(({ cin }) => cin)).toEqual(rowsOf(1, 21).map(({ n }) => cinOf(n)))
  // Its runs stay for whoever asks where a record comes from, and the file is taken back like any other.
  expect(await getRun(database.db, sampled)).toMatchObject({ inserted: 25 })
  await takeBack(real)
  await expectAsModelled()
})

test('the day of a removed sample does not come back with a real run that is taken back', async () => {
  await request(rowsOf(1, 20), { day: '2025-03-01', mode: 'snapshot', requestedBy: sampleRequester })
  const real = await request(rowsOf(15, 20, { status: 'Dormant' }), { day: '2025-04-01', mode: 'snapshot' })
  await approveRun(database.db, queue, real.run_id)
  await runSnapshot(dependencies(), real.run_id)
  await database.db.transaction((tx) => removeSample(tx, queue))
  const { run_id } = await askBack(real.run_id, false)
  await runSnapshot(dependencies(), run_id)
  expect((await registerState(database.db, mcaCompanies, columns)).parts).toEqual([])
})

test('a file that was taken back confirms no record of the sample: it goes with the sample', async () => {
  const wrong = await delta(rowsOf(1, 3), '2025-01-01')
  await takeBack(wrong)
  const sampled = await takeIn(rowsOf(1, 20), { day: '2025-03-01', mode: 'snapshot', requestedBy: sampleRequester })
  const changed = await delta(rowsOf(4, 6, { status: 'Dormant' }), '2025-03-01')
  await takeBack(changed)
  await database.db.transaction((tx) => removeSample(tx, queue))
  model.removeSample([sampled])
  await expectAsModelled()
  expect(await database.db.query('SELECT FROM registry.company')).toEqual([])
})

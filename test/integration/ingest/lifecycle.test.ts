import { beforeEach, expect, test } from 'vitest'
import { approveRun, discardRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { readRun } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
interface Row {
  readonly n: number
  readonly registrar?: string
  readonly status?: string
  readonly name?: string
}
const cin = (n: number) => `U74999GA2019PTC${String(n).padStart(6, '0')}`
const line = ({ n, registrar = 'Goa', status = 'Active', name = `COMPANY ${n} PRIVATE LIMITED` }: Row) =>
  `${cin(n)},${name},ROC ${registrar},Company limited by shares,Private,100000,100000,2019-05-0${(n % 9) + 1},"X,PANAJI,North Goa,Goa,403001-India",Unlisted,${status},goa,74999`
let files = 0
const snapshot = (rows: readonly Row[]): string =>
  file(`snapshot-${++files}.csv`, `${[header, ...rows.map(line)].join('\n')}\n`)
const numbers = (from: number, to: number): Row[] => Array.from({ length: to - from + 1 }, (_, i) => ({ n: from + i }))
/** Companies 1 to `count` of Goa, as they stand in the register before a file comes that says otherwise of some. */
const standing = async (count: number, asOf = '2025-01-01', ...more: Row[]) => {
  await ingest('mca-companies', snapshot([...numbers(1, count), ...more]), { asOf })
}
const struckOff: Row = { n: 1, status: 'Strike Off' }

beforeEach(() => emptyRegisters(database.db))

const history = (n: number) =>
  database.db.query('SELECT kind, as_of, before, after FROM ingest.change WHERE identifier = $1 ORDER BY change_id', [
    cin(n),
  ])
const closedOn = async (n: number) =>
  (
    await database.db.query<{ closed_on: string | null }>('SELECT closed_on FROM registry.company WHERE cin = $1', [
      cin(n),
    ])
  )[0]?.closed_on

test('only rows whose covered columns changed are written, each with its fields before and after', async () => {
  await standing(30)
  const run = await ingest('mca-companies', snapshot([struckOff, ...numbers(2, 30)]), { asOf: '2025-02-01' })
  expect(run).toMatchObject({ rows_read: 30, inserted: 0, updated: 1, unchanged: 29, closed: 0 })
  expect(await history(1)).toEqual([
    { kind: 'insert', as_of: '2025-01-01', before: null, after: null },
    {
      kind: 'update',
      as_of: '2025-02-01',
      before: { status: 'Active', status_source: 'Active' },
      after: { status: 'Struck Off', status_source: 'Strike Off' },
    },
  ])
  expect(await history(2)).toHaveLength(1)
})

test('a snapshot closes what is absent within the registrars that it covers, and nothing elsewhere', async () => {
  await standing(30, '2025-01-01', { n: 900, registrar: 'Mumbai' })
  const run = await ingest('mca-companies', snapshot(numbers(1, 29)), { asOf: '2025-03-01' })
  expect(run).toMatchObject({ closed: 1, updated: 0, unchanged: 29, scopes: ['ROC Goa'] })
  expect(await closedOn(30)).toBe('2025-03-01')
  expect(await closedOn(900)).toBeNull()
  expect((await history(30)).at(-1)).toEqual({
    kind: 'close',
    as_of: '2025-03-01',
    before: { closed_on: null },
    after: { closed_on: '2025-03-01' },
  })
  expect(await database.db.query(`SELECT FROM feed.registration WHERE identifier = $1`, [cin(30)])).toEqual([])
})

test('a record whose line is rejected is not taken for absent', async () => {
  await standing(29)
  const rows = numbers(1, 27).map(line)
  const broken = [`${cin(28)},HALF A LINE`, line({ n: 29 }).replace(',100000,', ',lots,')]
  const run = await ingest('mca-companies', file('broken.csv', `${[header, ...rows, ...broken].join('\n')}\n`), {
    asOf: '2025-03-02',
  })
  expect(run).toMatchObject({ rows_read: 29, rejected: 2, closed: 0 })
})

test('a record that comes back is reopened, and counts as updated', async () => {
  await standing(30)
  await ingest('mca-companies', snapshot(numbers(1, 29)), { asOf: '2025-03-01' })
  const run = await ingest('mca-companies', snapshot(numbers(1, 30)), { asOf: '2025-04-01', force: true })
  expect(run).toMatchObject({ inserted: 0, updated: 1, unchanged: 29, closed: 0 })
  expect(await closedOn(30)).toBeNull()
  expect((await history(30)).at(-1)).toMatchObject({ kind: 'reopen', before: { closed_on: '2025-03-01' } })
  expect(await database.db.query(`SELECT FROM feed.registration WHERE identifier = $1`, [cin(30)])).toHaveLength(1)
})

test('an older snapshot changes nothing, however it is named', async () => {
  await standing(30, '2025-04-01')
  const before = await registerContents(database.db)
  const older = snapshot([{ n: 1, status: 'Dormant' }, ...numbers(2, 20), { n: 77 }])
  const run = await ingest('mca-companies', older, { asOf: '2025-01-15' })
  expect(run).toMatchObject({ status: 'succeeded', inserted: 0, updated: 0, closed: 0, unchanged: 0, skipped: 21 })
  expect(run.report).toMatchObject({ stale_scopes: ['ROC Goa'] })
  expect(await registerContents(database.db)).toEqual(before)
})

test('the same content of a later day is a no-op, and yet keeps an older snapshot from changing anything', async () => {
  await standing(30, '2025-04-01')
  const goodUntil = snapshot(numbers(1, 30))
  expect(await ingest('mca-companies', goodUntil, { asOf: '2025-04-20' })).toMatchObject({ status: 'no_op' })
  const before = await registerContents(database.db)
  const older = snapshot([struckOff, ...numbers(2, 30)])
  const between = await ingest('mca-companies', older, { asOf: '2025-04-10' })
  expect(between).toMatchObject({ status: 'succeeded', updated: 0, report: { stale_scopes: ['ROC Goa'] } })
  expect(await registerContents(database.db)).toEqual(before)
})

test('content that came too late to be applied is no no-op when it comes with a newer day', async () => {
  await standing(30, '2025-04-20')
  const path = snapshot([struckOff, ...numbers(2, 29), { n: 30, name: 'RENAMED LIMITED' }])
  const late = await ingest('mca-companies', path, { asOf: '2025-04-15' })
  expect(late).toMatchObject({ status: 'succeeded', updated: 0, unchanged: 0, skipped: 30 })
  expect(await ingest('mca-companies', path, { asOf: '2025-04-25' })).toMatchObject({ status: 'succeeded', updated: 2 })
  const again = snapshot(numbers(1, 30))
  expect(await ingest('mca-companies', again, { asOf: '2025-04-26' })).toMatchObject({
    status: 'succeeded',
    updated: 2,
  })
})

test('a file ingested as a delta closes what it lacks when it comes as a snapshot', async () => {
  await standing(30)
  const path = snapshot(numbers(1, 29))
  expect(await ingest('mca-companies', path, { asOf: '2025-04-27', mode: 'delta' })).toMatchObject({ closed: 0 })
  expect(await ingest('mca-companies', path, { asOf: '2025-04-28' })).toMatchObject({ status: 'succeeded', closed: 1 })
  const whole = snapshot(numbers(1, 30))
  expect(await ingest('mca-companies', whole, { asOf: '2025-04-29', force: true })).toMatchObject({ updated: 1 })
})

test('a delta closes nothing', async () => {
  await standing(30)
  const run = await ingest('mca-companies', snapshot([{ n: 31 }]), { asOf: '2025-05-01', mode: 'delta' })
  expect(run).toMatchObject({ inserted: 1, closed: 0 })
  expect(await closedOn(2)).toBeNull()
})

test('half a snapshot waits for approval with nothing applied; discarding it leaves no trace in the registers', async () => {
  await standing(31)
  const before = await registerContents(database.db)
  const run = await ingest('mca-companies', snapshot(numbers(1, 12)), { asOf: '2025-06-01' })
  expect(run).toMatchObject({ status: 'needs_approval', error: { code: 'NEEDS_APPROVAL' } })
  expect(run.error?.message).toContain('19 of 31 open records of ROC Goa')
  expect(await registerContents(database.db)).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([`checked_${run.run_id}`, `unmatched_${run.run_id}`])

  const decision = { outcome: 'discarded', by: 'operator', reason: 'no reason was given', supersede: false }
  expect(await discardRun(database.db, run.run_id)).toMatchObject({ status: 'discarded', decision })
  expect(await stagingTables(database.db)).toEqual([])
  await expect(approveRun(database.db, queue, run.run_id)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('an approved run applies what it staged, once', async () => {
  await standing(31)
  const run = await ingest('mca-companies', snapshot([struckOff, ...numbers(2, 12)]), { asOf: '2025-06-02' })
  expect(run.status).toBe('needs_approval')
  expect(await approveRun(database.db, queue, run.run_id)).toMatchObject({ status: 'queued' })
  expect(queue.sent.at(-1)).toEqual({ queue: 'ingest-snapshot', payload: { runId: run.run_id } })
  const applied = await runSnapshot(dependencies(), run.run_id)
  expect(applied).toMatchObject({ status: 'succeeded', rows_read: 12, updated: 1, unchanged: 11, closed: 19 })
  expect(await runSnapshot(dependencies(), run.run_id)).toEqual(applied)
  expect(await stagingTables(database.db)).toEqual([])
})

test('an approved run whose staging tables were lost is staged again from the same file', async () => {
  await standing(12)
  const run = await ingest('mca-companies', snapshot(numbers(1, 3)), { asOf: '2025-06-03' })
  expect(run.status).toBe('needs_approval')
  await database.db.execute(`TRUNCATE ingest.checked_${run.run_id}`)
  await approveRun(database.db, queue, run.run_id)
  expect(await runSnapshot(dependencies(), run.run_id)).toMatchObject({ status: 'succeeded', closed: 9, unchanged: 3 })
})

test('an attempt that was taken over writes nothing more and says so', async () => {
  await standing(3)
  const path = snapshot([...numbers(1, 3), { n: 500 }])
  const takeover = async (point: string) => {
    if (point !== 'checked') return
    await database.db.execute(`UPDATE ingest.run SET attempt = attempt + 1 WHERE status = 'merging'`)
  }
  const before = await registerContents(database.db)
  await expect(
    ingest('mca-companies', path, { asOf: '2025-07-01', deps: { reached: takeover } }),
  ).rejects.toMatchObject({
    code: 'LEASE_LOST',
  })
  expect(await registerContents(database.db)).toEqual(before)
  const [open] = await database.db.query<{ run_id: number }>(`SELECT run_id FROM ingest.run WHERE status = 'merging'`)
  expect(await runSnapshot(dependencies(), open?.run_id ?? 0)).toMatchObject({ status: 'succeeded', inserted: 1 })
})

test('an error after the merge has committed takes nothing back: the run has succeeded, and running it again is a no-op', async () => {
  await standing(3, '2025-06-30', { n: 500 })
  const path = snapshot([...numbers(1, 3), { n: 500, status: 'Under Liquidation' }])
  const lostConnection = async (point: string) => {
    if (point === 'committed') throw new Error('Connection terminated')
  }
  await expect(
    ingest('mca-companies', path, { asOf: '2025-07-01', deps: { reached: lostConnection, finalAttempt: false } }),
  ).rejects.toThrow('Connection terminated')
  const [last] = await database.db.query<{ run_id: number }>('SELECT max(run_id) AS run_id FROM ingest.run')
  const run = await readRun(database.db, last?.run_id ?? 0)
  expect(run).toMatchObject({ status: 'succeeded', updated: 1, unchanged: 3, error: null })
  expect(await runSnapshot(dependencies(), last?.run_id ?? 0)).toEqual(run)
})

test('two runs of one source never overlap', async () => {
  await standing(3, '2025-06-30', { n: 500 })
  let overlapping: Promise<unknown> | undefined
  const during = async (point: string) => {
    if (point === 'staged') {
      overlapping = ingest('mca-companies', snapshot(numbers(1, 3)), { asOf: '2025-07-03' })
      await expect(overlapping).rejects.toMatchObject({ code: 'RUN_IN_PROGRESS', retry: { afterMs: 5000 } })
    }
  }
  await ingest('mca-companies', snapshot([...numbers(1, 3), { n: 500, status: 'Dormant' }]), {
    asOf: '2025-07-02',
    deps: { reached: during },
  })
  expect(overlapping).toBeDefined()
  const waiting = await database.db.query<{ run_id: number }>(`SELECT run_id FROM ingest.run WHERE status = 'queued'`)
  expect(waiting).toHaveLength(1)
  expect(await readRun(database.db, waiting[0]?.run_id ?? 0)).toMatchObject({ error: { code: 'RUN_IN_PROGRESS' } })
})

import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fetchSourceJob } from '../../../jobs/fetch-source.ts'
import { ingestSnapshotJob } from '../../../jobs/ingest-snapshot.ts'
import { discardRun } from '../../../src/ingest/conduct/approval.ts'
import { repeatRun } from '../../../src/ingest/conduct/repeat-run.ts'
import { readDropFolder, stateOf } from '../../../src/ingest/input/drop-folder/drop-folder.ts'
import { pollFolder } from '../../../src/ingest/input/drop-folder/poll-folder.ts'
import { spoolOf } from '../../../src/ingest/input/drop-folder/spool.ts'
import { listRuns } from '../../../src/ingest/run/runs.ts'
import { companyFile, companyHeader, companyLine } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { rememberingQueue, testSecretKey, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { folder: dataDir } = useIngest(database)
const source = 'mca-companies'
const settleMs = 20
let folder = ''
let queue = rememberingQueue()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'panji-drop-'))
  queue = rememberingQueue()
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  rmSync(join(dataDir, 'spool'), { recursive: true, force: true })
  await database.db.execute('TRUNCATE ingest.run, registry.company CASCADE')
})

const drop = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
const inside = (path = folder) => readdirSync(path).toSorted()
const { incoming, taken, done: doneFolder, failed } = spoolOf(dataDir, source)
const context = () => ({
  db: database.db,
  queue,
  log: pino({ level: 'silent' }),
  signal: new AbortController().signal,
  attempt: 0,
})
const jobs = {
  'fetch-source': (payload: object) =>
    fetchSourceJob({ bounds: { settleMs }, dataDir, secretKey: testSecretKey }).handle(
      { source, input: folder, ...payload },
      context(),
    ),
  'ingest-snapshot': (payload: object) =>
    ingestSnapshotJob({ dataDir, secretKey: testSecretKey, allowPrivateSources: false, bounds: {} }).handle(
      { runId: 0, ...payload },
      context(),
    ),
}

/** Works off what was enqueued, like a worker; failures are the runs' own. */
async function work(): Promise<void> {
  for (let job = queue.sent.shift(); job; job = queue.sent.shift()) {
    const handle = jobs[job.queue as keyof typeof jobs]
    await handle?.(job.payload as object).catch(() => undefined)
  }
}
const slot = (input = folder, more: object = {}) => jobs['fetch-source']({ input, ...more })
const runs = async () => (await listRuns(database.db)).toReversed()

test('each file becomes a run, oldest day first, and lies in done afterwards under its run', async () => {
  drop('mca-2025-03-01.csv', companyFile(12))
  drop('mca-01-02-2025.csv', companyFile(11))
  drop('mca_20250101.csv', companyFile(10))
  await slot()
  await work()
  const done = await runs()
  expect(done).toMatchObject([
    { as_of: '2025-01-01', status: 'succeeded', rows_read: 10, inserted: 10, requested_by: 'schedule' },
    { as_of: '2025-02-01', status: 'succeeded', rows_read: 11, inserted: 1 },
    { as_of: '2025-03-01', status: 'succeeded', rows_read: 12, inserted: 1 },
  ])
  const ids = done.map((run) => run.run_id)
  expect(inside(doneFolder)).toEqual(
    [`${ids[0]}-mca_20250101.csv`, `${ids[1]}-mca-01-02-2025.csv`, `${ids[2]}-mca-2025-03-01.csv`].toSorted(),
  )
  expect(inside(taken)).toEqual([])
  expect(await slot()).toMatchObject({ kind: 'nothing' })
})

test('each file of a schedule of deltas is one, and closes nothing', async () => {
  drop('2025-01-01.csv', companyFile(12))
  drop('2025-01-02.csv', companyFile(1))
  drop('2025-01-03.csv', companyFile(2))
  await slot(folder, { mode: 'delta' })
  await work()
  const one = { mode: 'delta', status: 'succeeded', closed: 0 }
  expect(await runs()).toMatchObject([
    { ...one, inserted: 12 },
    { ...one, unchanged: 1 },
    { ...one, unchanged: 2 },
  ])
})

test('the next file of a folder is read as its schedule says by then', async () => {
  drop('2025-01-01.csv', companyFile(12))
  drop('2025-01-02.csv', companyFile(1))
  await slot()
  await database.db.execute(
    `INSERT INTO runtime.schedule (name, cron, timezone, job, payload, origin)
     VALUES ('nightly', '0 2 * * *', 'Asia/Kolkata', 'fetch-source', jsonb_build_object('source', $1::text, 'input', $2::text, 'mode', 'delta'), 'operator')`,
    [source, folder],
  )
  await work()
  await database.db.execute(`DELETE FROM runtime.schedule WHERE name = 'nightly'`)
  expect(await runs()).toMatchObject([
    { mode: 'snapshot', inserted: 12 },
    { mode: 'delta', status: 'succeeded', unchanged: 1, closed: 0 },
  ])
})

test('a file that fails lies in failed with its reason, and does not hold up the next', async () => {
  drop('a-2025-01-01.csv', 'CIN,Name\nU1,X\n')
  drop('b-2025-01-02.csv', companyFile(5))
  await slot()
  await work()
  const [bad, good] = await runs()
  expect([bad?.status, good?.status]).toEqual(['failed', 'succeeded'])
  const name = `${bad?.run_id}-a-2025-01-01.csv`
  expect(inside(failed)).toEqual([name, `${name}.reason.txt`])
  const reason = readFileSync(join(failed, `${name}.reason.txt`), 'utf8')
  expect(reason).toMatch(/^Run \d+ failed: HEADER_MISMATCH\nRows read: 0\. Rows rejected: 0\.\n/)
  expect(inside(doneFolder)).toEqual([`${good?.run_id}-b-2025-01-02.csv`])
})

test('a file is skipped while it is being written, hidden, or named as unfinished', async () => {
  drop('.hidden.csv', companyFile(1))
  drop('upload.csv.part', companyFile(1))
  drop('browser.crdownload', companyFile(1))
  mkdirSync(join(folder, 'archive.csv'))
  drop('growing.csv', `${companyHeader}\n`)
  const watched = await readDropFolder(folder)
  if (!watched) throw new Error('the folder is not watched')
  let serial = 0
  const grow = setInterval(() => appendFileSync(join(folder, 'growing.csv'), `${companyLine(++serial)}\n`), 5)
  const looking = { ...context(), dataDir, fileBytesMax: 1 << 20, settleMs: 400 }
  expect(await pollFolder(looking, source, watched)).toEqual({ kind: 'nothing', unfinished: 1 })
  clearInterval(grow)
  expect(await pollFolder({ ...looking, settleMs }, source, watched)).toMatchObject({
    kind: 'taken',
    file: 'growing.csv',
  })
  await work()
  expect(await runs()).toMatchObject([{ status: 'succeeded', rows_read: serial }])
  expect(inside()).toEqual(['.hidden.csv', 'archive.csv', 'browser.crdownload', 'upload.csv.part'])
})

test('a file whose name is not UTF-8 is skipped by name, and does not hold up the next', async () => {
  const path = Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9]), Buffer.from('.csv')])
  writeFileSync(path, companyFile(1))
  drop('mca-2025-01-02.csv', companyFile(2))
  expect(await slot()).toMatchObject({ kind: 'taken', file: 'mca-2025-01-02.csv' })
  await work()
  expect(await slot()).toEqual({
    kind: 'nothing',
    unfinished: 0,
    refused: ['caf\uFFFD.csv: its name is not UTF-8; rename it'],
  })
  expect(await runs()).toMatchObject([{ status: 'succeeded', rows_read: 2 }])
})

test('processes that look at once take a file once', async () => {
  drop('once.csv', companyFile(3))
  const looks = await Promise.all(Array.from({ length: 5 }, () => slot()))
  const kinds = looks.map((each) => (each as { kind: string }).kind)
  expect(kinds.filter((kind) => kind === 'taken')).toHaveLength(1)
  expect(await runs()).toHaveLength(1)
  await work()
  expect(await runs()).toMatchObject([{ status: 'succeeded', rows_read: 3 }])
})

test.each(['removed', 'did not remove'] as const)(
  'a file that was taken by a process that died before it wrote the run, and %s its name, is given one run',
  async (outcome) => {
    drop('orphan-2025-01-05.csv', companyFile(4))
    await slot()
    queue.sent.length = 0
    await database.db.execute('DELETE FROM ingest.run')
    if (outcome === 'did not remove') {
      drop('orphan-2025-01-05.csv', companyFile(4))
      const [note = ''] = inside(taken).filter((name) => name.endsWith('.json'))
      const origin = JSON.parse(readFileSync(join(taken, note), 'utf8')) as object
      const state = stateOf(lstatSync(join(folder, 'orphan-2025-01-05.csv')))
      writeFileSync(join(taken, note), JSON.stringify({ ...origin, state }))
    }
    expect(await slot()).toMatchObject({ kind: 'taken', file: 'orphan-2025-01-05.csv' })
    await work()
    expect(await runs()).toMatchObject([{ status: 'succeeded', as_of: '2025-01-05', rows_read: 4 }])
    expect(inside(taken)).toEqual([])
    expect(inside()).toEqual([])
  },
)

test('a copy that a process left half done when it died is removed, and the file is taken from its folder', async () => {
  drop('whole.csv', companyFile(4))
  mkdirSync(join(incoming, 'a1b2c3'), { recursive: true, mode: 0o700 })
  writeFileSync(join(incoming, 'a1b2c3', 'whole.csv'), companyFile(2))
  mkdirSync(taken, { recursive: true, mode: 0o700 })
  writeFileSync(join(taken, 'a1b2c3.json'), '{}')
  expect(await slot()).toMatchObject({ kind: 'taken', file: 'whole.csv' })
  await work()
  expect(await runs()).toMatchObject([{ status: 'succeeded', rows_read: 4 }])
  expect([inside(incoming), inside(taken)]).toEqual([[], []])
})

test('a file whose run ended in a process that died before it filed it away is filed away by the next look', async () => {
  drop('x.csv', companyFile(4))
  const { runId } = (await slot()) as { runId: number }
  queue.sent.length = 0
  await database.db.execute(
    `UPDATE ingest.run SET status = 'failed', error = '{"code": "X", "message": "Y"}' WHERE run_id = $1`,
    [runId],
  )
  expect(await slot()).toMatchObject({ kind: 'nothing' })
  expect(inside(failed)).toEqual([`${runId}-x.csv`, `${runId}-x.csv.reason.txt`])
  expect(inside(taken)).toEqual([])
})

test('files wait while a run needs approval, and a discarded one is filed under failed', async () => {
  drop('a-2025-01-01.csv', companyFile(200))
  drop('b-2025-01-02.csv', companyFile(150).toString().replaceAll('U74999', 'broken'))
  drop('c-2025-01-03.csv', companyFile(200))
  await slot()
  await work()
  const [, suspicious] = await runs()
  expect(suspicious).toMatchObject({ as_of: '2025-01-02', status: 'needs_approval' })
  expect(await slot()).toEqual({ kind: 'waits', openRunId: suspicious?.run_id })
  await discardRun(database.db, suspicious?.run_id ?? 0)
  await slot()
  await work()
  expect((await runs()).map(({ status }) => status)).toEqual(['succeeded', 'discarded', 'no_op'])
  expect(inside(failed)[1]).toMatch(/^\d+-b-2025-01-02\.csv\.reason\.txt$/)
  expect(inside(doneFolder)).toHaveLength(2)
})

test('two files of one name are two runs and two files in done', async () => {
  drop('monthly.csv', companyFile(3))
  await slot()
  drop('monthly.csv', companyFile(4))
  await work()
  expect(await runs()).toMatchObject([{ rows_read: 3 }, { rows_read: 4 }])
  expect(inside(doneFolder)).toHaveLength(2)
})

test('a pattern takes the names that fit; a folder that is not there is named', async () => {
  drop('goa-1.csv', companyFile(3))
  drop('goa-2.txt', companyFile(3))
  drop('kerala-1.csv', companyFile(3))
  expect(await slot(join(folder, 'goa-?.c*'))).toMatchObject({ kind: 'taken', file: 'goa-1.csv' })
  await work()
  expect(await slot(`${pathToFileURL(folder).href}/goa-*.csv`)).toMatchObject({ kind: 'nothing' })
  expect(inside()).toEqual(['goa-2.txt', 'kerala-1.csv'])
  await expect(slot(join(folder, 'nowhere', '*.csv'))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringMatching(/watched folder .*nowhere must be there and be writable/),
  })
})

test('repeating the failed run of a dropped or scheduled file says where the file is and how to import it again', async () => {
  drop('mca.csv', 'no,header\n1,2\n')
  await slot()
  await work()
  const [dropped] = await runs()
  if (!dropped) return expect.unreachable()
  const repeat = (runId: number) =>
    database.db.transaction((tx) => repeatRun(tx, queue, { runId, dataDir, dryRun: false, requestedBy: 'operator' }))
  await expect(repeat(dropped.run_id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `Its file was dropped into ${folder}, and is kept as ${join(failed, `${dropped.run_id}-mca.csv`)}. Fix it and drop it again.`,
  })
  expect(inside(failed)).toContain(`${dropped.run_id}-mca.csv`)

  const path = join(dataDir, 'published.csv')
  const { runId } = (await slot(path)) as { readonly runId: number }
  await work()
  await expect(repeat(runId)).rejects.toMatchObject({
    message: `Its file is read by a schedule from ${path}. Run the schedule again: npx panji schedule run <name>.`,
  })
})

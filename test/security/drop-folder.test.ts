/** Hostile senders: whoever may write into a watched folder reads and writes nothing else through Panji. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fetchSourceJob } from '../../jobs/fetch-source.ts'
import { ingestSnapshotJob } from '../../jobs/ingest-snapshot.ts'
import { scheduledRuns, watchedFolders } from '../../src/cli/commands/doctor-inputs.ts'
import { listRuns } from '../../src/ingest/run/runs.ts'
import { addSchedule } from '../../src/queue/schedule/schedules.ts'
import { companyFile } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { rememberingQueue, testSecretKey } from '../support/ingest.ts'

const database = useTestDatabase()
const source = 'mca-companies'
const secret = 'operator-token-7f3a9c'
const bounds = { settleMs: 20, fileBytesMax: 1 << 20 }
let place = ''
let folder = ''
let dataDir = ''
let queue = rememberingQueue()
let logged: string[] = []

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'panji-hostile-drop-'))
  const made = place
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  folder = join(place, 'drop')
  dataDir = join(place, 'data')
  mkdirSync(folder)
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, 'operator-token'), `${secret}\n`, { mode: 0o600 })
  queue = rememberingQueue()
  logged = []
  await database.db.execute('TRUNCATE ingest.run, registry.company, runtime.schedule CASCADE')
})

const drop = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
const context = () => ({
  db: database.db,
  queue,
  log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  signal: new AbortController().signal,
  attempt: 20,
})
const slot = (input = folder) =>
  fetchSourceJob({ bounds, dataDir, secretKey: testSecretKey }).handle({ source, input }, context())

async function work(): Promise<string[]> {
  const failures: string[] = []
  for (let job = queue.sent.shift(); job; job = queue.sent.shift()) {
    const payload = job.payload as { runId: number; source: string; input: string }
    const handled =
      job.queue === 'ingest-snapshot'
        ? ingestSnapshotJob({ dataDir, secretKey: testSecretKey, allowPrivateSources: false, bounds }).handle(
            payload,
            context(),
          )
        : job.queue === 'fetch-source'
          ? fetchSourceJob({ bounds, dataDir, secretKey: testSecretKey }).handle(payload, context())
          : undefined
    await handled?.catch((error: unknown) => failures.push(String(error)))
  }
  return failures
}
const runs = async () => (await listRuns(database.db)).toReversed()

/** Every file below a folder with its mode. */
function below(path: string): { readonly path: string; readonly mode: number; readonly text: string }[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => realpathSync(file) === file)
    .map((file) => ({ path: file, mode: statSync(file).mode & 0o777, text: readFileSync(file, 'latin1') }))
}

/** All that Panji says of it: to logs, runs and doctor. */
async function said(): Promise<string> {
  const { db } = database
  return (
    logged.join('') +
    JSON.stringify([await runs(), await scheduledRuns(db), await watchedFolders(db, { dataDir, bounds })])
  )
}

test('a link in the folder, however it is named or placed, is read by nobody and reads nothing out', async () => {
  const target = join(dataDir, 'operator-token')
  symlinkSync(target, join(folder, 'link.csv'))
  mkdirSync(join(folder, 'taken', 'a1b2c3'), { recursive: true })
  symlinkSync(target, join(folder, 'taken', 'a1b2c3', 'old.csv'))
  symlinkSync(dataDir, join(folder, 'taken', 'd4e5f6'))
  for (let look = 0; look < 3; look++) {
    await slot()
    await work()
  }
  expect(await runs()).toEqual([])
  expect(await said()).not.toContain(secret)
  expect(below(folder).filter(({ text }) => text.includes(secret))).toEqual([])
  expect(readFileSync(target, 'utf8')).toContain(secret)
})

test('folders named taken, done and failed that are links lead no byte of the sender out of the watched folder', async () => {
  const elsewhere = join(place, 'elsewhere')
  mkdirSync(elsewhere)
  for (const part of ['taken', 'done', 'failed']) symlinkSync(elsewhere, join(folder, part))
  drop('bad-2025-01-01.csv', 'CIN,Name\nU1,X\n')
  drop('good-2025-01-02.csv', companyFile(3))
  await slot()
  await work()
  expect((await runs()).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(readdirSync(elsewhere)).toEqual([])
})

test('a scheduled path that became a link is not followed, neither the file nor the folder', async () => {
  writeFileSync(join(place, 'private.csv'), companyFile(3))
  symlinkSync(join(place, 'private.csv'), join(folder, 'goa.csv'))
  await slot(join(folder, 'goa.csv'))
  expect(await work()).toEqual([expect.stringMatching(/link/)])
  expect(await runs()).toMatchObject([{ status: 'failed', rows_read: 0 }])

  const dir = join(place, 'private')
  mkdirSync(dir)
  writeFileSync(join(dir, 'x.csv'), companyFile(3))
  renameSync(folder, `${folder}-away`)
  symlinkSync(dir, folder)
  await expect(slot()).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
  await expect(slot(join(folder, '*.csv'))).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
  expect(existsSync(join(dir, 'x.csv'))).toBe(true)
  expect(await runs()).toHaveLength(1)
})

test('a second name of a file, a fifo, a socket and a file above the bound are skipped and named to the operator', async () => {
  await addSchedule(database.db, {
    name: 'drop',
    cron: '0 0 * * *',
    timezone: 'Asia/Kolkata',
    job: 'fetch-source',
    payload: { source, input: folder },
  })
  linkSync(join(dataDir, 'operator-token'), join(folder, 'hard.csv'))
  execFileSync('mkfifo', [join(folder, 'pipe.csv')])
  const server = createServer().listen(join(folder, 'socket.csv'))
  onTestFinished(() => void server.close())
  drop('huge.csv', '')
  truncateSync(join(folder, 'huge.csv'), (1 << 20) + 1)
  symlinkSync('/etc/passwd', join(folder, 'l\u001b[31mink.csv'))
  drop('z-good.csv', companyFile(3))
  expect(await slot()).toMatchObject({ kind: 'taken', file: 'z-good.csv' })
  await work()
  expect(await runs()).toMatchObject([{ status: 'succeeded', rows_read: 3 }])
  expect(existsSync(join(folder, 'hard.csv'))).toBe(true)
  const verdict = await watchedFolders(database.db, { dataDir, bounds })
  expect(verdict.ok).toBe(false)
  for (const name of ['hard.csv', 'pipe.csv', 'socket.csv', 'huge.csv']) expect(verdict.detail).toContain(name)
  expect(verdict.detail).not.toContain('\u001b')
})

test('what Panji keeps of a file lies in its data directory, readable by its user alone, and holds no text of the file', async () => {
  chmodSync(folder, 0o777)
  drop('bad.csv', `CIN,${secret}\nU1,${secret}\n`)
  await slot()
  await work()
  expect(readdirSync(folder)).toEqual([])
  const kept = below(join(dataDir, 'spool'))
  expect(kept.map(({ mode }) => mode)).toEqual(kept.map(() => 0o600))
  expect(statSync(join(dataDir, 'spool')).mode & 0o777).toBe(0o700)
  const reason = kept.find(({ path }) => path.endsWith('.reason.txt'))
  expect(reason?.text).toMatch(/^Run \d+ failed: HEADER_MISMATCH\n/)
  expect(reason?.text).not.toContain(secret)
  expect(logged.join('') + JSON.stringify(await scheduledRuns(database.db))).not.toContain(secret)
  const [run] = await runs()
  expect(run?.error?.message).not.toContain(secret)
})

test('a sender who holds the file open changes nothing of what is read, and what he writes later comes as a file of its own', async () => {
  drop('kept.csv', companyFile(3))
  expect(await slot()).toMatchObject({ kind: 'taken' })
  drop('kept.csv', companyFile(5))
  await work()
  expect(await runs()).toMatchObject([{ rows_read: 3 }, { rows_read: 5 }])
  expect(readdirSync(folder)).toEqual([])
})

test('a spool that was replaced by a link is refused before a byte is read', async () => {
  const elsewhere = join(place, 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o777 })
  symlinkSync(elsewhere, join(dataDir, 'spool'))
  drop('a.csv', companyFile(3))
  await expect(slot()).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
  expect(readdirSync(elsewhere)).toEqual([])
  expect(readdirSync(folder)).toEqual(['a.csv'])
})

test('a name of 255 bytes is ingested once and holds up nobody', async () => {
  drop(`${'n'.repeat(251)}.csv`, 'CIN,Name\nU1,X\n')
  drop('z-after.csv', companyFile(3))
  await slot()
  await work()
  expect((await runs()).map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded'])
  expect(readdirSync(folder)).toEqual([])
  expect(await slot()).toMatchObject({ kind: 'nothing' })
})

/** Two commands on one embedded database, without a running Panji: the first does not end the database of the second. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { readInstance } from '../../src/db/embedded/instance-lock.ts'
import { startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram, runPanji } from '../support/panji-program.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = panjiHome()
const user = 'asha@example.in'
let runId = ''

const openAt = (connectionString: string): Db =>
  openDb({ connectionString, applicationName: 'test', connectionsMax: 1 })

beforeAll(async () => {
  const panji = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
  expect(await panji.json('migrate')).toMatchObject({ code: 0 })
  expect(await panji.json('account', 'create', '--email', user)).toMatchObject({ code: 0 })
  const server = await startEmbeddedServer({ dataDir: home.dataDir })
  const db = openAt(server.databaseUrl)
  const [run] = await db.query<{ id: number }>(
    `INSERT INTO ingest.run (source, input, mode, as_of, status) VALUES ('nic', 'a.csv', 'snapshot', '2025-10-01', 'queued')
     RETURNING run_id AS id`,
  )
  runId = String(run?.id)
  await db.close()
  await server.stop()
})
afterAll(() => home.remove())

test('a command that waits for an answer still has its database when the one that opened it is done', async () => {
  const first = home.run('runs', runId, '--watch', '--json')
  const url = () => readInstance(home.dataDir)?.databaseUrl
  await vi.waitFor(() => expect(url()).toBeDefined(), { timeout: 60_000 })
  const db = openAt(url() ?? expect.unreachable())
  const connections = async () =>
    (await db.query('SELECT FROM pg_stat_activity WHERE application_name LIKE $1', [`panji:${process.pid}%`])).length

  async function* answer(): AsyncGenerator<string> {
    // A pool closes its idle connections.
    await vi.waitFor(async () => expect(await connections()).toBeLessThan(2), { timeout: 30_000, interval: 200 })
    await db.execute(`UPDATE ingest.run SET status = 'cancelled', finished_at = now() WHERE run_id = $1`, [runId])
    await db.close()
    const waits = vi.waitFor(() => expect(first.noted()).toContain('Waiting for other commands'), { timeout: 60_000 })
    await Promise.race([first.ended, waits])
    yield 'y\r'
  }
  const keyboard = Object.assign(Readable.from(answer(), { objectMode: false }), { isTTY: true })
  const env = { PANJI_DATA_DIR: home.dataDir, LOG_LEVEL: 'warn' }
  const second = await runPanji(['account', 'suspend', user, '--json'], env, undefined, keyboard)
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('this ends 0 open sessions') })
  expect(await first.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('No worker is online') })
  expect(readInstance(home.dataDir)).toBeUndefined()
})

test('commands that begin and end at the same time all do their work', async () => {
  const users = Array.from({ length: 5 }, (_, place) => `buyer-${place}@example.in`)
  const made = await Promise.all(users.map((email) => home.json('account', 'create', '--email', email)))
  expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    users.map(() => ({ code: 0, stderr: expect.any(String) })),
  )
  const { answer } = await home.json('account', 'list')
  expect(answer).toHaveLength(users.length + 1)
  expect(readInstance(home.dataDir)).toBeUndefined()
})

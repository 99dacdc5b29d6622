/** A command at a terminal has no worker beside it and starts its own, without the environment of the service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Secret } from '../../../src/domain/secret.ts'
import { addNamed } from '../../../src/notify/operators/environment-channels.ts'
import { holdWorkerPresence, workerIsPresent } from '../../../src/queue/worker-presence.ts'
import { companyFile } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const secretKey = 'secret-key-of-the-service-0123456789'
const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const run = (schedule: string) =>
  panjiProgram({ PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey }).json(
    ...['schedule', 'run', schedule],
  )
const stateOf = (name: string) =>
  database.db.query('SELECT state, output FROM pgboss.job WHERE name = $1 ORDER BY created_on', [name])

beforeAll(async () => {
  const channel = { kind: 'webhook', address: 'https://alerts.example.in/panji' } as const
  await database.db.transaction((tx) => addNamed(tx, new Secret(secretKey), [channel]))
})

test.each(['watch-conditions', 'write-backup'])('the job %s is left to the worker of the service', async (name) => {
  const outcome = await run(name)
  expect(outcome).toMatchObject({ code: 0, answer: { name, job: name } })
  expect(await stateOf(name)).toEqual([{ state: 'created', output: null }])
  expect(outcome.stderr).toContain('The job waits for a worker')
  expect(await database.db.query('SELECT removed_at FROM runtime.alert_channel')).toEqual([{ removed_at: null }])
})

test('any other job is done before the command ends', async () => {
  const outcome = await run('collect-words')
  expect(outcome).toMatchObject({ code: 0, answer: { job: 'collect-words' } })
  expect(await stateOf('collect-words')).toMatchObject([{ state: 'completed' }])
  expect(outcome.stderr).not.toContain('waits for a worker')
})

test('a command whose job lost its worker, as that of another command ends with it, does the job itself', async () => {
  const gone = await holdWorkerPresence(database.as('panji_worker'))
  const path = join(home.dataDir, 'companies.csv')
  writeFileSync(path, companyFile(20))
  const env = { PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey }
  const ingesting = panjiProgram(env).json('ingest', 'mca-companies', path)
  const queued = () => database.db.query(`SELECT FROM ingest.run WHERE status = 'queued'`)
  await vi.waitFor(async () => expect(await queued()).toHaveLength(1), { timeout: 30_000 })
  await gone.release()
  expect(await ingesting).toMatchObject({ code: 0, answer: { status: 'succeeded', inserted: 20 } })
  expect(
    await database.db.query(`SELECT FROM pgboss.job WHERE name = 'ingest-snapshot' AND state <> 'completed'`),
  ).toEqual([])
}, 60_000)

test('it leaves the jobs of others to the worker that is back, and ends with its own', async () => {
  const gone = await holdWorkerPresence(database.as('panji_worker'))
  const path = join(home.dataDir, 'more-companies.csv')
  writeFileSync(path, companyFile(30))
  const env = { PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey }
  // Another process is at work on it, for as long as this test lasts.
  await database.db.execute(
    `INSERT INTO pgboss.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds)
     VALUES ('collect-words', '{}', 'active', now(), now(), 3600)`,
  )
  const ingesting = panjiProgram(env).json('ingest', 'mca-companies', path)
  const queued = () => database.db.query(`SELECT FROM ingest.run WHERE status = 'queued'`)
  await vi.waitFor(async () => expect(await queued()).toHaveLength(1), { timeout: 30_000 })
  await gone.release()
  await vi.waitFor(async () => expect(await workerIsPresent(database.db)).toBe(true), { timeout: 30_000 })
  const back = await holdWorkerPresence(database.as('panji_worker'))
  expect(await ingesting).toMatchObject({ code: 0, answer: { status: 'succeeded' } })
  await back.release()
}, 60_000)

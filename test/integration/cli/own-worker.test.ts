/** A command at a terminal has no worker beside it and starts its own, without the environment of the service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../../src/domain/secret.ts'
import { addNamed } from '../../../src/notify/operators/environment-channels.ts'
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

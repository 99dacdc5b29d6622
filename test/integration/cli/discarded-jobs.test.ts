/** Failed jobs are discarded for good, so it is those that the operator was shown. */
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { listDeadLetters } from '../../../src/queue/dead-letters.ts'
import { deadLetterQueue } from '../../../src/queue/queues.ts'
import { holdWorkerPresence } from '../../../src/queue/worker-presence.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { runPanji } from '../../support/panji-program.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())

const env = {
  ...{ PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
  PANJI_SECRET_KEY: 'secret-key-of-discarded-jobs-0123456789',
}
const missing = 'No worker is online'

async function failed(): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, source_name, source_id, source_output, source_retry_count, source_created_on)
     VALUES ($1, '{}', 'collect-words', gen_random_uuid(), '{}', 1, now()) RETURNING id`,
    [deadLetterQueue],
  )
  return row?.id ?? expect.unreachable()
}

test('a job that fails while the question is open stays, and one that went meanwhile is not missed', async () => {
  const [first] = [await failed(), await failed()]
  let late = ''
  async function* answered(): AsyncGenerator<string> {
    late = await failed()
    await database.db.execute('DELETE FROM pgboss.job WHERE id = $1', [first])
    yield 'y\r'
  }
  const keyboard = Object.assign(Readable.from(answered(), { objectMode: false }), { isTTY: true })
  const outcome = await runPanji(['jobs', 'discard', '--all', '--json'], env, undefined, keyboard)
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('This discards 2 failed jobs for good') })
  expect(JSON.parse(outcome.stdout)).toEqual({ discarded: 1 })
  expect((await listDeadLetters(database.db)).map((letter) => letter.job_id)).toEqual([late])
})

test('a redriven job waits for a worker, and the command says where none is online', async () => {
  const id = await failed()
  const outcome = await runPanji(['jobs', 'redrive', id, '--json'], env)
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining(missing) })
  const worker = await holdWorkerPresence(database.as('panji_worker'))
  const beside = await runPanji(['jobs', 'redrive', await failed(), '--json'], env)
  await worker.release()
  expect(beside).toMatchObject({ code: 0, stderr: '' })
})

test('so does a command that enqueues a job, and none that enqueues nothing', async () => {
  const objection = ['suppress', 'add', '--email', 'asha@example.in', '--json']
  expect(await runPanji(objection, env)).toMatchObject({ code: 0, stderr: expect.stringContaining(missing) })
  expect(await runPanji(['jobs', 'dead', '--json'], env)).toMatchObject({ code: 0, stderr: '' })
})

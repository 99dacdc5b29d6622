import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../src/errors.ts'
import { defineJob } from '../../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { deadLetterQueue, type QueueDefinition } from '../../../src/queue/queues.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { workerIsPresent } from '../../../src/queue/worker-presence.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const trial: QueueDefinition<z.ZodObject<{ behaviour: z.ZodString }>> = {
  name: 'trial',
  payload: z.object({ behaviour: z.string() }),
  retryLimit: 3,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  heartbeatSeconds: 10,
  expireSeconds: 60,
  policy: 'standard',
  concurrency: 2,
}
const runs = new Map<string, number>()
const job = defineJob(trial, async ({ behaviour }) => {
  const run = (runs.get(behaviour) ?? 0) + 1
  runs.set(behaviour, run)
  if (behaviour === 'never') throw new AppError('BAD_REQUEST', 'hopeless')
  if (behaviour === 'later' && run === 1) throw new AppError('UNAVAILABLE', 'not now', { retry: 'later' })
  if (behaviour === 'put-off' && run === 1) throw new AppError('CRM_UNAVAILABLE', 'quota', { retry: { afterMs: 100 } })
  return { run }
})
const stopping = new AbortController()
let queue: QueueHandle
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  queue = await startQueue({ connectionString: database.url, supervise: true, onError: () => {}, definitions: [trial] })
  worker = await startWorker({
    db: database.db,
    queue,
    jobs: [job],
    log: createLogger('silent', false),
    signal: stopping.signal,
  })
})
afterAll(async () => {
  await worker.stop()
  await queue.stop()
})

const statesOf = async (behaviour: string) =>
  database.db.query<{ name: string; state: string }>(
    `SELECT name, state::text FROM pgboss.job WHERE data->>'behaviour' = $1 ORDER BY created_on, name DESC`,
    [behaviour],
  )

test('an error that says never sends the job to the dead letters after one run', async () => {
  await queue.send(database.db, trial, { behaviour: 'never' })
  await vi.waitFor(
    async () => expect((await statesOf('never')).map((each) => each.name)).toContain(deadLetterQueue),
    10_000,
  )
  expect(await statesOf('never')).toContainEqual({ name: 'trial', state: 'failed' })
  expect(runs.get('never')).toBe(1)
})

test('an error that says later runs the same job again', async () => {
  await queue.send(database.db, trial, { behaviour: 'later' })
  await vi.waitFor(async () => expect(await statesOf('later')).toEqual([{ name: 'trial', state: 'completed' }]), 20_000)
  expect(runs.get('later')).toBe(2)
})

test('an error with a delay completes the job and enqueues one successor', async () => {
  await queue.send(database.db, trial, { behaviour: 'put-off' })
  await vi.waitFor(async () => {
    expect((await statesOf('put-off')).map((each) => each.state)).toEqual(['completed', 'completed'])
  }, 20_000)
  expect(runs.get('put-off')).toBe(2)
})

test('a job sent in a transaction that rolls back never runs', async () => {
  const attempt = database.db.transaction(async (tx) => {
    await queue.send(tx, trial, { behaviour: 'rolled-back' })
    throw new Error('the write failed')
  })
  await expect(attempt).rejects.toThrow('the write failed')
  expect(await statesOf('rolled-back')).toEqual([])
})

test('a running worker is seen by other processes until it stops', async () => {
  expect(await workerIsPresent(database.db)).toBe(true)
})

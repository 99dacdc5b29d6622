import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../src/errors.ts'
import { discardDeadLetters, listDeadLetters, redriveDeadLetters } from '../../../src/queue/dead-letters.ts'
import { defineJob } from '../../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { recentQueueWarnings } from '../../../src/queue/queue-warnings.ts'
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
  failures: 'dead-letter',
}
/** One active job per key, and failures that its own rows record. */
const keyed = { ...trial, name: 'keyed', policy: 'singleton', failures: 'recorded', retryLimit: 1 } as const
const runs = new Map<string, number>()
const behave = async ({ behaviour }: { readonly behaviour: string }) => {
  const run = (runs.get(behaviour) ?? 0) + 1
  runs.set(behaviour, run)
  if (behaviour === 'never') throw new AppError('BAD_REQUEST', 'hopeless')
  if (behaviour === 'later' && run === 1) throw new AppError('UNAVAILABLE', 'not now', { retry: 'later' })
  if (behaviour === 'put-off' && run === 1) throw new AppError('CRM_UNAVAILABLE', 'quota', { retry: { afterMs: 100 } })
  if (behaviour === 'full disk' && run < 4)
    throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  if (behaviour === 'always later') throw new AppError('UNAVAILABLE', 'still not', { retry: 'later' })
  return { run }
}
const jobs = [defineJob(trial, behave), defineJob(keyed, behave)]
const stopping = new AbortController()
let queue: QueueHandle
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: true,
    onError: () => {},
    definitions: [trial, keyed],
  })
  worker = await startWorker({
    db: database.as('panji_worker'),
    queue,
    jobs,
    log: createLogger('silent', process.stderr),
    signal: stopping.signal,
  })
})
afterAll(async () => {
  await worker.stop()
  await queue.stop()
})
// Each waits for the end of what it sends, so that nothing is at work here.
beforeEach(async () => {
  runs.clear()
  await database.db.execute('DELETE FROM pgboss.job')
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
  await vi.waitFor(async () => expect(await statesOf('later')).toEqual([{ name: 'trial', state: 'completed' }]), 60_000)
  expect(runs.get('later')).toBe(2)
})

test('an error with a delay completes the job and enqueues one successor', async () => {
  await queue.send(database.db, trial, { behaviour: 'put-off' })
  await vi.waitFor(async () => {
    expect((await statesOf('put-off')).map((each) => each.state)).toEqual(['completed', 'completed'])
  }, 60_000)
  expect(runs.get('put-off')).toBe(2)
})

test('a full disk of the database is tried with growing pauses, for as long as it takes, and uses up no attempt', async () => {
  await queue.send(database.db, trial, { behaviour: 'full disk' })
  const waiting = async () => {
    const [job] = await database.db.query<{ pause: number; retries: number }>(
      `SELECT round(extract(epoch FROM start_after - created_on))::float8 AS pause, retry_count AS retries
       FROM pgboss.job WHERE data->>'behaviour' = 'full disk' AND state = 'created' AND start_after > now() + interval '5 s'`,
    )
    return job
  }
  /** As if it had waited so long. */
  const makeDue = (pauseSeconds: number) =>
    database.db.execute(
      `UPDATE pgboss.job SET start_after = now(), created_on = now() - $1 * interval '1 s'
       WHERE data->>'behaviour' = 'full disk' AND state = 'created'`,
      [pauseSeconds],
    )
  for (const [pause, waited] of [
    [15, 15],
    [30, 800],
    [900, 900],
  ] as const) {
    await vi.waitFor(async () => expect(await waiting()).toEqual({ pause, retries: 0 }), 60_000)
    await makeDue(waited)
  }
  await vi.waitFor(async () => {
    const states = await statesOf('full disk')
    expect(states.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed', 'completed'])
  }, 60_000)
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

test('a job that is put off keeps the key that orders it among its kind', async () => {
  await queue.send(database.db, keyed, { behaviour: 'put-off' }, { singletonKey: 'goa' })
  await vi.waitFor(async () => {
    expect((await statesOf('put-off')).map((each) => each.state)).toEqual(['completed', 'completed'])
  }, 60_000)
  const keys = await database.db.query<{ key: string | null }>(
    `SELECT singleton_key AS key FROM pgboss.job WHERE data->>'behaviour' = 'put-off'`,
  )
  expect(keys).toEqual([{ key: 'goa' }, { key: 'goa' }])
})

test('work whose own row records its failure leaves no dead letter, whether it is hopeless or out of attempts', async () => {
  for (const behaviour of ['never', 'always later']) {
    await queue.send(database.db, keyed, { behaviour }, { singletonKey: behaviour })
    await vi.waitFor(
      async () => expect(await statesOf(behaviour)).toEqual([{ name: 'keyed', state: 'completed' }]),
      20_000,
    )
  }
})

test('a dead letter shows its job and its error, and is run again or discarded by its id', async () => {
  for (const _ of [1, 2]) await queue.send(database.db, trial, { behaviour: 'never' })
  await vi.waitFor(async () => expect(await listDeadLetters(database.db)).toHaveLength(2), 60_000)
  const letters = await listDeadLetters(database.db)
  for (const letter of letters) {
    expect(letter).toMatchObject({
      queue: 'trial',
      payload: { behaviour: 'never' },
      code: 'BAD_REQUEST',
      message: 'hopeless',
    })
  }
  const [first, second] = letters.map((letter) => letter.job_id)
  if (!first || !second) throw new Error('two dead letters were expected')
  await expect(redriveDeadLetters(database.db, queue, { jobIds: [first, crypto.randomUUID()] })).rejects.toThrow(
    '2 there are',
  )
  expect(await discardDeadLetters(database.db, queue, { jobIds: [second] })).toBe(1)
  const before = runs.get('never') ?? 0
  expect(await redriveDeadLetters(database.db, queue, 'all')).toBe(1)
  await vi.waitFor(() => expect(runs.get('never')).toBe(before + 1), 60_000)
  await vi.waitFor(async () => expect(await listDeadLetters(database.db)).toHaveLength(1), 60_000)
  expect(await discardDeadLetters(database.db, queue, 'all')).toBe(1)
  expect(await listDeadLetters(database.db)).toEqual([])
})

test('warnings of the queue in the last hour are reported by type, with the newest message', async () => {
  await database.db.execute(
    `INSERT INTO pgboss.warning (type, message, created_on)
     VALUES ('queue_backlog', 'older', now() - interval '30 minutes'), ('queue_backlog', 'newest', now()),
            ('clock_skew', 'long ago', now() - interval '2 hours')`,
  )
  expect(await recentQueueWarnings(database.db)).toEqual([{ type: 'queue_backlog', count: 2, newest: 'newest' }])
})

test('a place takes the next job that waits at once: 150 of them take no rest each, which would be over a minute', async () => {
  await database.db.transaction(async (tx) => {
    for (let each = 0; each < 150; each++) await queue.send(tx, trial, { behaviour: `one of many ${each}` })
  })
  await vi.waitFor(
    async () =>
      expect(
        await database.db.query(
          `SELECT count(*)::int AS done FROM pgboss.job WHERE state = 'completed' AND data->>'behaviour' LIKE 'one of many%'`,
        ),
      ).toEqual([{ done: 150 }]),
    { timeout: 60_000, interval: 200 },
  )
})

/** Jobs of one key run one after the other; what a process remembers of the running ones must not hold up the next. */
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../../../src/queue/define-job.ts'
import { startQueue } from '../../../src/queue/queue.ts'
import type { QueueDefinition } from '../../../src/queue/queues.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const single: QueueDefinition = {
  name: 'single',
  payload: z.object({}),
  retryLimit: 3,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 1,
  heartbeatSeconds: 10,
  expireSeconds: 60,
  policy: 'singleton',
  failures: 'dead-letter',
  concurrency: 1,
}

test('the next job of a key starts within seconds, although another was reported as active', async () => {
  const open = (supervise: boolean) =>
    startQueue({
      connectionString: database.url,
      role: 'panji_worker',
      supervise,
      onError: () => {},
      definitions: [single],
    })
  await (await open(false)).stop()
  await database.db.execute(`UPDATE pgboss.queue SET singletons_active = '{source}' WHERE name = 'single'`)
  const queue = await open(true)
  let ran = 0
  const job = defineJob(single, async () => {
    ran += 1
    return {}
  })
  const stopping = new AbortController()
  const log = createLogger('silent', process.stderr)
  const worker = await startWorker({
    db: database.as('panji_worker'),
    queue,
    jobs: [job],
    log,
    signal: stopping.signal,
  })
  try {
    await queue.send(database.db, single, {}, { singletonKey: 'source' })
    await vi.waitFor(() => expect(ran).toBe(1), 60_000)
  } finally {
    await worker.stop()
    await queue.stop()
  }
})

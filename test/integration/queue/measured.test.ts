/** Jobs are measured by how they ended. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../src/errors.ts'
import { defineJob } from '../../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { queues } from '../../../src/queue/queues.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { jobSeconds } from '../../../src/telemetry/measured.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const measuredQueue = { ...queues.buildLeads, name: 'measured', payload: z.object({ ends: z.string() }), retryLimit: 0 }
let queue: QueueHandle
beforeAll(async () => {
  const connectionString = database.url
  queue = await startQueue({ connectionString, supervise: true, onError: () => {}, definitions: [measuredQueue] })
})
afterAll(() => queue.stop())

async function outcomes(): Promise<Record<string, number>> {
  const { values } = await jobSeconds.get()
  const counts = values.filter(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.queue === 'measured',
  )
  return Object.fromEntries(counts.map(({ labels, value }) => [String(labels.outcome), value]))
}

test('jobs are counted and timed by their queue and by how they ended', async () => {
  let ended = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const job = defineJob(measuredQueue, async ({ ends }) => {
    ended += 1
    if (ended === 3) resolve()
    if (ends === 'badly') throw new AppError('BAD_REQUEST', 'never again', { retry: 'never' })
    if (ends === 'later') throw new Error('the network broke')
    return {}
  })
  const worker = await startWorker({
    db: database.db,
    queue,
    jobs: [job],
    log: createLogger('silent', process.stderr),
    signal: new AbortController().signal,
  })
  for (const ends of ['well', 'badly', 'later']) await queue.send(database.db, measuredQueue, { ends })
  await promise
  await worker.stop()
  expect(await outcomes()).toEqual({ completed: 1, failed: 2 })
})

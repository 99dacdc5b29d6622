/** What builds and delivers leads, at work for a test: the product's jobs over every CRM's sandbox. */
import { connectors } from '../../../connectors/index.ts'
import { buildJobs } from '../../../jobs/index.ts'
import { sandboxes } from '../../../sandboxes/index.ts'
import { startSandboxes } from '../../../sandboxes/server.ts'
import type { Secret } from '../../../src/domain/secret.ts'
import type { Job } from '../../../src/queue/define-job.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { startWorker } from '../../../src/queue/worker.ts'
import type { Logger } from '../../../src/telemetry/log.ts'
import { secretKey as usualKey } from '../../support/api.ts'
import type { TestDatabase } from '../../support/database.ts'

export const startDeliveryQueue = ({ url: connectionString }: TestDatabase): Promise<QueueHandle> =>
  startQueue({ connectionString, role: 'panji_worker', supervise: true, onError: () => {} })

export const deliveryJobs = (queue: QueueHandle, secretKey: Secret = usualKey): readonly Job[] =>
  buildJobs({
    queue,
    dataDir: '/nowhere',
    allowPrivateSources: true,
    bounds: {},
    leadSource: 'Panji',
    connectors,
    secretKey,
  })

export type FollowedDelivery = Awaited<ReturnType<typeof startFollowedDelivery>>

/** Without the jobs' looks, which wake what is due for no call at all. */
export async function startFollowedDelivery(database: TestDatabase, log: Logger) {
  const queue = await startDeliveryQueue(database)
  const boxes = await startSandboxes(sandboxes(), { port: 0 })
  const jobs = deliveryJobs(queue).map(({ queue: of, handle }): Job => ({ queue: of, handle }))
  const stopping = new AbortController()
  const worker = await startWorker({ db: database.as('panji_worker'), queue, jobs, log, signal: stopping.signal })
  return {
    queue,
    boxes,
    async stop() {
      stopping.abort(new Error('the test is over'))
      await worker.stop()
      await queue.stop()
      await boxes.close()
    },
  }
}

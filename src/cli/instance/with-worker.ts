/**
 * Gives a command the queue, and a worker where none runs: jobs run in the running instance, or in the command's own
 * process together with the jobs that follow from them. A command's own worker leaves those that depend on the service's
 * environment, which its shell may not have.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { JobOptions } from '../../../jobs/index.ts'
import type { Db } from '../../db/db.ts'
import type { Job } from '../../queue/define-job.ts'
import type { QueueHandle } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { startWorker } from '../../queue/worker.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import type { CommandContext } from '../settings.ts'
import type { OpenInstance } from './open-instance.ts'
import { openQueue } from './open-queue.ts'
import { scheduledBackup } from './scheduled-backup.ts'

export async function withQueue<T>(
  context: CommandContext,
  instance: OpenInstance,
  work: (queue: QueueHandle) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(context, instance, false)
  try {
    return await work(queue)
  } finally {
    await queue.stop()
  }
}

/** Otherwise they would remove the service's alert channels, and complete a backup or an e-mail that was never made. */
const leftToTheService: readonly string[] = [
  queues.watchConditions,
  queues.sendAlerts,
  queues.sendMails,
  queues.writeBackup,
].map(({ name }) => name)

/** @param work enqueues and waits; `queue` is ready, and a worker is running that takes jobs of the queues that `takes` names. */
export async function withWorker<T>(
  context: CommandContext,
  instance: OpenInstance,
  work: (queue: QueueHandle, takes: (name: string) => boolean) => Promise<T>,
): Promise<T> {
  if (await workerIsPresent(instance.db)) return withQueue(context, instance, (queue) => work(queue, () => true))
  const { buildJobs } = await import('../../../jobs/index.ts')
  const queue = await openQueue(context, instance, true)
  const jobs = buildJobs({ ...jobOptionsOf(context, instance), queue }).filter(
    ({ queue: { name } }) => !leftToTheService.includes(name),
  )
  const worker = await startWorker({
    db: instance.workerDb,
    queue,
    jobs,
    log: context.log,
    signal: context.signal,
  })
  try {
    const result = await work(queue, (name) => jobs.some((job) => job.queue.name === name))
    await untilDone(instance.db, jobs, context.signal)
    return result
  } finally {
    await worker.stop()
    await queue.stop()
  }
}

export function jobOptionsOf(context: CommandContext, instance: OpenInstance): Omit<JobOptions, 'queue'> {
  const {
    dataDir,
    allowPrivateSources,
    fetchBounds: bounds,
    leadSource,
    smtp,
    connect,
    alertChannels,
  } = context.settings
  const { connectors } = context
  return {
    dataDir,
    allowPrivateSources,
    bounds,
    leadSource,
    connectors,
    secretKey: instance.secretKey,
    smtp,
    alertChannels,
    publicUrl: connect.publicUrl,
    writeBackup: scheduledBackup(instance, context.settings),
  }
}

/** Follow-up jobs (feeds after a merge, leads after an order) finish before the process ends. */
async function untilDone(db: Db, jobs: readonly Job[], signal: AbortSignal): Promise<void> {
  const names = jobs.map(({ queue }) => queue.name)
  while (!signal.aborted) {
    const open = await db.query(
      `SELECT 1 FROM pgboss.job WHERE name = ANY($1)
         AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= now())) LIMIT 1`,
      [names],
    )
    if (open.length === 0) return
    await delay(100)
  }
}

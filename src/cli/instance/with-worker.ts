/**
 * Gives a command the queue, and a worker where none runs: jobs run in the running instance, or in the command's own
 * process together with the jobs that follow from them. A command's own worker leaves those that depend on the service's
 * environment, which its shell may not have.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { JobOptions } from '../../../jobs/index.ts'
import type { Db } from '../../db/db.ts'
import type { QueueHandle } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { startWorker } from '../../queue/worker.ts'
import { otherWorkerIsPresent, workerIsPresent } from '../../queue/worker-presence.ts'
import type { CommandContext } from '../settings.ts'
import { prepareDataDir } from './data-directory.ts'
import { noteMissingWorker, observed } from './missing-worker.ts'
import type { OpenInstance } from './open-instance.ts'
import { openQueue } from './open-queue.ts'
import { scheduledBackup } from './scheduled-backup.ts'

export async function withQueue<T>(
  context: CommandContext,
  instance: OpenInstance,
  work: (queue: QueueHandle) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(context, instance, false)
  let hasSent = false
  const noting = observed(queue, () => {
    hasSent = true
  })
  try {
    const result = await work({ ...queue, ...noting })
    if (hasSent) await noteMissingWorker(context, instance.db)
    return result
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
  if (await workerIsPresent(instance.db)) return besideWorker(context, instance, (queue) => work(queue, () => true))
  const own = await startOwnWorker(context, instance)
  try {
    const result = await work(own.queue, own.takes)
    await own.untilDone()
    return result
  } finally {
    await own.stop()
  }
}

/** The worker of another command ends with it, possibly before this command's job: then this one starts its own. */
function besideWorker<T>(
  context: CommandContext,
  instance: OpenInstance,
  work: (queue: QueueHandle) => Promise<T>,
): Promise<T> {
  return withQueue(context, instance, async (queue) => {
    const ending = new AbortController()
    const successor = replaceWorker(context, instance, ending.signal)
    try {
      const result = await work(queue)
      ending.abort()
      await (await successor)?.untilDone({ orTaken: true })
      return result
    } finally {
      ending.abort()
      await (await successor)?.stop()
    }
  })
}

const lookEveryMs = 2_000

/** @returns undefined where a worker was present until the signal aborted, or none could be started. */
async function replaceWorker(
  context: CommandContext,
  instance: OpenInstance,
  signal: AbortSignal,
): Promise<OwnWorker | undefined> {
  try {
    while (!signal.aborted && (await workerIsPresent(instance.db))) {
      await delay(lookEveryMs, undefined, { signal }).catch(() => {})
    }
    return signal.aborted ? undefined : await startOwnWorker(context, instance)
  } catch (error) {
    // The command meets the same fault in its own work, and reports it.
    context.log.warn({ err: error }, 'no worker could be started in place of one that ended')
    return undefined
  }
}

interface OwnWorker {
  readonly queue: QueueHandle
  readonly takes: (name: string) => boolean
  /**
   * Follow-up jobs (feeds after a merge, leads after an order) finish before the process ends. @param orTaken they may
   * as well be left to another worker.
   */
  untilDone(options?: { readonly orTaken: boolean }): Promise<void>
  stop(): Promise<void>
}

async function startOwnWorker(context: CommandContext, instance: OpenInstance): Promise<OwnWorker> {
  const { buildJobs } = await import('../../../jobs/index.ts')
  prepareDataDir(context.settings)
  const queue = await openQueue(context, instance, true)
  const jobs = buildJobs({ ...jobOptionsOf(context, instance), queue }).filter(
    ({ queue: { name } }) => !leftToTheService.includes(name),
  )
  const { log, signal } = context
  const worker = await startWorker({ db: instance.workerDb, queue, jobs, log, signal })
  const names = jobs.map((job) => job.queue.name)
  return {
    queue,
    takes: (name) => names.includes(name),
    async untilDone({ orTaken } = { orTaken: false }) {
      while (!signal.aborted && (await isBusy(instance.db, names))) {
        if (orTaken && (await otherWorkerIsPresent(instance.db))) return
        await delay(100)
      }
    },
    async stop() {
      await worker.stop()
      await queue.stop()
    },
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

async function isBusy(db: Db, names: readonly string[]): Promise<boolean> {
  const open = await db.query(
    `SELECT 1 FROM pgboss.job WHERE name = ANY($1)
       AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= now())) LIMIT 1`,
    [names],
  )
  return open.length > 0
}

/**
 * Runs the jobs, and is the only place that translates errors into queue states:
 * `never` → dead letter, or completed if the row being worked on records failures,
 * `later` → failed, so that pg-boss retries with backoff,
 * `{ afterMs }` → a successor job after the delay, in the transaction that completes this one,
 * `patiently` → a successor job after twice the delay that this one had.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { JobWithMetadata as BossJob, JobResult } from 'pg-boss'
import { databaseFault } from '../db/database-fault.ts'
import type { Db } from '../db/db.ts'
import { Stopped } from '../domain/stopped.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../telemetry/log.ts'
import { type JobOutcome, jobSeconds } from '../telemetry/measured.ts'
import { withOrigin } from '../telemetry/request-origin.ts'
import { jobSpan } from '../telemetry/spans.ts'
import type { Job, Watch } from './define-job.ts'
import { asBossDb, groupOfOrigin, type QueueHandle, secondsOf } from './queue.ts'
import { wakePollers, wakesEveryMs } from './wake-pollers.ts'
import { holdWorkerPresence } from './worker-presence.ts'

export interface WorkerOptions {
  readonly db: Db
  readonly queue: QueueHandle
  readonly jobs: readonly Job[]
  readonly log: Logger
  /** Aborts the running jobs when the process stops; they run again elsewhere. */
  readonly signal: AbortSignal
}

export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const presence = await holdWorkerPresence(options.db)
  const places = new Map<string, string[]>()
  for (const job of options.jobs) {
    const ofQueue: string[] = []
    for (let place = 0; place < job.queue.concurrency; place++) ofQueue.push(await startPoller(job, options))
    places.set(job.queue.name, ofQueue)
  }
  const { boss } = options.queue
  const watches = [
    startWatch('wake pollers', { everyMs: wakesEveryMs, check: (db) => wakePollers(db, boss, places) }, options),
    ...options.jobs.flatMap((job) => (job.watch ? [startWatch(job.queue.name, job.watch, options)] : [])),
  ]
  return {
    async stop() {
      for (const watch of watches) await watch.stop()
      for (const job of options.jobs) await boss.offWork(job.queue.name)
      await presence.release()
    },
  }
}

/**
 * A poller runs one job after another without pausing, and sleeps once it finds none.
 * @returns the id to wake it by.
 */
async function startPoller(job: Job, options: WorkerOptions): Promise<string> {
  const { boss } = options.queue
  const place: string = await boss.work(
    job.queue.name,
    {
      batchSize: 1,
      pollingIntervalSeconds: sleepSeconds,
      notifyPollingIntervalSeconds: sleepSeconds,
      perJobResults: true,
      includeMetadata: true,
    },
    async (batch: BossJob<object>[]) => {
      const results = await Promise.all(batch.map((each) => measureJob(job, each, options)))
      boss.notifyWorker(place)
      return results
    },
  )
  return place
}

/** Longest sleep of a poller that is not woken. */
const sleepSeconds = 30

/** Checks run one after another, the first immediately. A failed one is logged and does not stop the next. */
function startWatch(name: string, watch: Watch, { db, queue, log }: WorkerOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await watch
        .check(db, queue)
        .catch((error: unknown) => log.warn({ err: error, job: name }, 'a periodic check failed'))
      await delay(watch.everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

async function measureJob(job: Job, bossJob: BossJob<object>, options: WorkerOptions): Promise<JobResult> {
  const stop = jobSeconds.startTimer({ queue: job.queue.name })
  // A job that no request enqueued is the origin of what it causes.
  return withOrigin({ requestId: bossJob.groupId ?? bossJob.id }, async () => {
    const span = jobSpan(job.queue.name, bossJob.id, bossJob.retryCount + 1, bossJob.groupTier ?? undefined)
    const result = await span.within(() => runJob(job, bossJob, options))
    const outcome = outcomeOf(result, bossJob)
    stop({ outcome })
    span.end({ failed: outcome === 'failed' || outcome === 'retried', attributes: { 'panji.outcome': outcome } })
    return result
  })
}

function outcomeOf({ status, output }: JobResult, { retryCount, retryLimit }: BossJob<object>): JobOutcome {
  const result: { readonly failed?: unknown; readonly putOff?: unknown } = output ?? {}
  if (status === 'failed') return retryCount >= retryLimit ? 'failed' : 'retried'
  if (status === 'deadletter' || result.failed === true) return 'failed'
  return result.putOff === true ? 'put_off' : 'completed'
}

async function runJob(job: Job, bossJob: BossJob<object>, options: WorkerOptions): Promise<JobResult> {
  const log = options.log.child({ job: bossJob.name, jobId: bossJob.id, attempt: bossJob.retryCount + 1 })
  const started = performance.now()
  try {
    const output = await job.handle(job.queue.payload.parse(bossJob.data), {
      db: options.db,
      queue: options.queue,
      log,
      signal: AbortSignal.any([bossJob.signal, options.signal]),
      attempt: bossJob.retryCount,
    })
    log.debug({ seconds: secondsSince(started), ...output }, 'job done')
    return { id: bossJob.id, status: 'completed', output: output ?? {} }
  } catch (error) {
    return translate(error, job, bossJob, options, log)
  }
}

/** An invalid payload is our bug and permanent. An unclassified error may be transient, so it is retried. */
async function translate(
  error: unknown,
  { queue }: Job,
  job: BossJob<object>,
  options: WorkerOptions,
  log: Logger,
): Promise<JobResult> {
  const known = error instanceof AppError ? error : error instanceof Error ? databaseFault(error) : undefined
  const policy = known?.retry ?? (error instanceof Error && error.name === 'ZodError' ? 'never' : 'later')
  const isLast = job.retryCount >= job.retryLimit
  // A shutdown interrupts work that would have succeeded, so it never fails a job for good.
  const isStopping = policy === 'later' && options.signal.reason instanceof Stopped
  const retry = isStopping && isLast ? { afterMs: 0 } : policy
  const output = {
    code: known?.code ?? 'INTERNAL',
    message: error instanceof Error ? error.message : String(error),
  }
  const isFinal = retry === 'never' || (retry === 'later' && isLast)
  if (isFinal && queue.failures === 'recorded') {
    log.error({ err: error }, 'job failed permanently; its row records the reason')
    return { id: job.id, status: 'completed', output: { ...output, failed: true } }
  }
  if (retry === 'never') {
    log.error({ err: error }, 'job failed permanently and became a dead letter')
    return { id: job.id, status: 'deadletter', output }
  }
  if (retry === 'later') {
    if (isStopping) log.info('job requeued: Panji is stopping')
    else log.warn({ err: error }, 'job failed and will be retried')
    return { id: job.id, status: 'failed', output }
  }
  const afterMs = retry === 'patiently' ? nextPauseMs(job) : retry.afterMs
  if (retry === 'patiently') log.error({ err: error, afterMs }, 'job waits until the cause is fixed')
  else log.info({ ...output, afterMs }, 'job postponed')
  // The successor and the completion are one transaction: a crash can neither lose nor duplicate the job.
  await options.db.transaction(async (tx) => {
    const db = asBossDb(tx)
    const successor = await options.queue.boss.send(job.name, job.data, {
      db,
      startAfter: secondsOf(afterMs),
      priority: job.priority,
      ...groupOfOrigin(),
      // Without its key the successor could run concurrently with jobs of the same key, or block those of others.
      ...(job.singletonKey === null ? {} : { singletonKey: job.singletonKey }),
    })
    if (successor === null) throw new Error(`the queue ${job.name} refused the successor of a job`)
    await options.queue.boss.complete(
      job.name,
      { id: job.id, retryCount: job.retryCount },
      { ...output, putOff: true },
      { db },
    )
  })
  return { id: job.id, status: 'completed', output: { ...output, putOff: true } }
}

/** The delay that this job had is stored nowhere, so it is computed from its creation and start times. */
function nextPauseMs({ createdOn, startAfter }: Pick<BossJob<object>, 'createdOn' | 'startAfter'>): number {
  const lastMs = startAfter.getTime() - createdOn.getTime()
  return Math.min(Math.max(lastMs * 2, pauseMsMin), pauseMsMax)
}
const pauseMsMin = 15_000
const pauseMsMax = 15 * 60_000

const secondsSince = (started: number) => Number(((performance.now() - started) / 1000).toFixed(3))

/**
 * pg-boss behind our own small interface. A job is enqueued inside the transaction that makes it true:
 * `queue.send(tx, queues.buildLeads, { orderId })`.
 */
import { type Db as BossDb, PgBoss } from 'pg-boss'
import type { Queryable } from '../db/db.ts'
import { sessionConnection } from '../db/session-options.ts'
import { originNow } from '../telemetry/request-origin.ts'
import { traceparentNow } from '../telemetry/spans.ts'
import { listenToAbandonedClients } from './abandoned-clients.ts'
import { deadLetterQueue, type PayloadOf, type QueueDefinition, queues } from './queues.ts'

export interface JobSendOptions {
  /** One active job per key on `singleton` queues. */
  readonly singletonKey?: string
  readonly startAfterMs?: number
}

export interface JobSender {
  /** Enqueues in the caller's transaction. @returns the job's id. */
  send<Q extends QueueDefinition>(
    tx: Queryable,
    queue: Q,
    payload: PayloadOf<Q>,
    options?: JobSendOptions,
  ): Promise<string>
}

export interface QueueHandle extends JobSender {
  readonly boss: PgBoss
  stop(): Promise<void>
}

export interface QueueOptions {
  readonly connectionString: string
  /** Role that the queue's own connections switch to; by default they keep the login's. */
  readonly role?: string | undefined
  /** Keeps the list of queues up to date; false for a login that may only send. */
  readonly declares?: boolean
  /** Runs maintenance, and retries jobs whose worker died. Workers only. */
  readonly supervise: boolean
  readonly onError: (error: Error) => void
  /**
   * pg-boss's own warnings: a backlog, a slow query, a pinned horizon, skewed clocks. They are also stored for 30 days.
   */
  readonly onWarning?: (message: string) => void
  /** Default: all of queues.ts. */
  readonly definitions?: readonly QueueDefinition[]
}

/** Lets pg-boss run its statements in our transaction. */
export function asBossDb(tx: Queryable): BossDb {
  return { executeSql: async (text, values) => ({ rows: await tx.query(text, values ?? []) }) }
}

export async function startQueue(options: QueueOptions): Promise<QueueHandle> {
  listenToAbandonedClients()
  const boss = new PgBoss({
    ...{
      ...sessionConnection(options.connectionString, { role: options.role }),
      application_name: `panji:${process.pid}:queue`,
      max: 5,
      keepAlive: true,
      // The queue's own statements take milliseconds; one that takes this long is waiting for a server that is gone.
      query_timeout: 15_000,
      connectionTimeoutMillis: 5_000,
    },
    schedule: false,
    // The tables are created by the migrations: src/db/queue-tables.ts.
    migrate: false,
    supervise: options.supervise,
    // Recovery after a crash takes at most a heartbeat and a monitoring interval: 10 s + 5 s.
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
    // A worker skips the keys that were active when it last read the queue. With the default of a minute, the next run
    // of a source would wait that long, and so would the retry of a run whose worker died.
    queueCacheIntervalSeconds: 2,
    useListenNotify: options.supervise,
    persistWarnings: true,
    warningRetentionDays: 30,
  })
  boss.on('error', options.onError)
  // A warning's data may contain values of a statement, which must not reach the log.
  boss.on('warning', ({ message }) => options.onWarning?.(message))
  await boss.start()
  if (options.declares ?? true) await declareQueues(boss, options.definitions ?? Object.values(queues))
  return {
    boss,
    async send(tx, queue, payload, sendOptions = {}) {
      const id = await boss.send(queue.name, queue.payload.parse(payload) as object, {
        db: asBossDb(tx),
        ...(sendOptions.singletonKey === undefined ? {} : { singletonKey: sendOptions.singletonKey }),
        ...groupOfOrigin(),
        ...(sendOptions.startAfterMs === undefined ? {} : { startAfter: secondsOf(sendOptions.startAfterMs) }),
      })
      if (id === null) throw new Error(`the queue ${queue.name} refused a job`)
      return id
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000, close: true }),
  }
}

/**
 * Stores the id and trace of the originating request in the job's group, next to the payload. No queue limits its
 * groups, so the field is free.
 */
export function groupOfOrigin(): { readonly group?: { readonly id: string; readonly tier?: string } } {
  const origin = originNow()
  if (origin === undefined) return {}
  const traceparent = traceparentNow()
  return { group: { id: origin.requestId, ...(traceparent !== undefined && { tier: traceparent }) } }
}

/** A delay rather than a time: the database adds it to its own clock, so this machine's clock does not matter. */
export const secondsOf = (delayMs: number): number => Math.max(delayMs, 1) / 1000

async function declareQueues(boss: PgBoss, definitions: readonly QueueDefinition[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
  if (!existing.has(deadLetterQueue)) {
    await boss.createQueue(deadLetterQueue, { retryLimit: 0, retentionSeconds: 90 * 86_400 })
  }
  for (const queue of definitions) {
    const options = {
      retryLimit: queue.retryLimit,
      retryDelay: queue.retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: queue.retryDelayMaxSeconds,
      heartbeatSeconds: queue.heartbeatSeconds,
      expireInSeconds: queue.expireSeconds,
      deadLetter: deadLetterQueue,
      notify: true,
    }
    if (existing.has(queue.name)) await boss.updateQueue(queue.name, options)
    else await boss.createQueue(queue.name, { ...options, policy: queue.policy })
  }
}

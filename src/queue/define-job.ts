/** A job is a queue and a handler. Handlers throw; only the worker turns errors into queue states. */
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { JobSender } from './queue.ts'
import type { PayloadOf, QueueDefinition } from './queues.ts'

/**
 * What every handler receives in addition to its payload. Parts that only some jobs need are bound when the job is
 * built.
 */
export interface JobContext {
  readonly db: Db
  readonly queue: JobSender
  readonly log: Logger
  /** Aborts when the job expires, loses its heartbeat or the process stops. */
  readonly signal: AbortSignal
  /** Attempts before this one. */
  readonly attempt: number
}

/** A periodic check in every worker, so that work is picked up even if its job was lost. */
export interface Watch {
  readonly everyMs: number
  /** Enqueues what is due. It may run in many workers at once. */
  check(db: Db, queue: JobSender): Promise<unknown>
}

export interface Job<Q extends QueueDefinition = QueueDefinition> {
  readonly queue: Q
  readonly watch?: Watch
  /** May run more than once, so its effect must be idempotent. The result is stored with the job for operators. */
  handle(payload: PayloadOf<Q>, context: JobContext): Promise<object | undefined>
}

export function defineJob<Q extends QueueDefinition>(
  queue: Q,
  handle: (payload: PayloadOf<Q>, context: JobContext) => Promise<object | undefined>,
  watch?: Watch,
): Job<Q> {
  return { queue, handle, ...(watch ? { watch } : {}) }
}

/** What a run's steps receive from the worker. */
import type { Logger } from 'pino'
import type { FetchBounds, ParserBounds, RejectBounds } from '../../../config/input-bounds.ts'
import type { Db } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import type { JobSender } from '../../queue/queue.ts'

export interface RunDependencies {
  readonly db: Db
  readonly queue: JobSender
  readonly log: Logger
  readonly signal: AbortSignal
  readonly allowPrivateSources: boolean
  readonly dataDir: string
  /** Unseals the credentials of source addresses. */
  readonly secretKey: Secret
  /** Overrides of config/input-bounds.ts. */
  readonly bounds?: Partial<FetchBounds>
  /** False if the queue will retry after a transient fault; the run then stays open. Default true. */
  readonly finalAttempt?: boolean
  /** Called at each boundary of the run; tests stop or kill the process there. */
  readonly reached?: (point: string) => Promise<void>
  /** Sends every record through the tolerant parser; the property test compares both paths. */
  readonly tolerantOnly?: boolean
  /** Rows from which the first load of a register goes into a shadow table; the property test compares both ways. */
  readonly shadowTableFrom?: number
  /** Overrides of config/input-bounds.ts. */
  readonly rejectBounds?: RejectBounds
  readonly parserBounds?: ParserBounds
}

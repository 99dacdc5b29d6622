/** What the steps of a run get from the worker that runs it. */
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
  /** Opens the credentials of source addresses. */
  readonly secretKey: Secret
  /** Instead of those in config/input-bounds.ts. */
  readonly bounds?: Partial<FetchBounds>
  /** False while the queue will try again after a passing fault; the run then stays open. Default true. */
  readonly finalAttempt?: boolean
  /** Called at each boundary of the run; tests stop or kill the process there. */
  readonly reached?: (point: string) => Promise<void>
  /** Sends every record through the tolerant lane; the property test compares both lanes. */
  readonly tolerantOnly?: boolean
  /** Rows from which the first load of a register goes into a table beside it; the property test compares both ways. */
  readonly asideFrom?: number
  /** Instead of those in config/input-bounds.ts. */
  readonly rejectBounds?: RejectBounds
  readonly parserBounds?: ParserBounds
}

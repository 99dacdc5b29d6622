/** Classifies errors caused by the database's own condition. Used by both error translators, of HTTP and of jobs. */
import { codeOf } from '../domain/fault-code.ts'
import { AppError, type ErrorCode } from '../errors.ts'

/** True for faults of the connection itself (class 08, 57P0x, socket errors), after which it must not be reused. */
export function isConnectionFault(error: Error): boolean {
  if (/^(08...|57P0[1235]|25P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN)/.test(codeOf(error))) return true
  return /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired|read timeout/.test(
    error.message,
  )
}

/**
 * True if another server may have taken over the address: this one is read-only, is stopping, or closed the connection.
 */
export const isPerhapsReplaced = (error: Error): boolean => /^(25006|57P0[12]|08...)$/.test(codeOf(error))

interface Condition {
  readonly code: ErrorCode
  readonly message: string
  readonly retryAfterSeconds: number
}

const unavailable = 'The database is away for a moment. Try again.'

/** By the reason that replies and metrics report, so that the person on call knows which condition it is. */
const conditions = {
  disk_full: {
    code: 'DATABASE_FULL',
    message: "The database's disk is full. Free up space, then try again.",
    retryAfterSeconds: 60,
  },
  read_only: {
    code: 'NOT_WRITABLE',
    message: 'The database is read-only at the moment. Try again.',
    retryAfterSeconds: 5,
  },
  connections_used_up: {
    code: 'UNAVAILABLE',
    message: 'The database has no free connection. Try again.',
    retryAfterSeconds: 2,
  },
  resources_used_up: {
    code: 'UNAVAILABLE',
    message: 'The database has reached one of its limits. Try again.',
    retryAfterSeconds: 2,
  },
  login_refused: { code: 'UNAVAILABLE', message: unavailable, retryAfterSeconds: 5 },
  backend_stopped: { code: 'UNAVAILABLE', message: unavailable, retryAfterSeconds: 2 },
  statement_cancelled: { code: 'UNAVAILABLE', message: unavailable, retryAfterSeconds: 2 },
  month_closed: {
    code: 'UNAVAILABLE',
    message:
      "The database's clock is in a month that is closed, so nothing was written. Correct the clock, then try again.",
    retryAfterSeconds: 60,
  },
  unreachable: { code: 'UNAVAILABLE', message: unavailable, retryAfterSeconds: 2 },
} as const satisfies Record<string, Condition>

export type DatabaseFaultReason = keyof typeof conditions
export const databaseFaultReasons = Object.keys(conditions) as readonly DatabaseFaultReason[]

/** @returns undefined for an error that is not caused by the database's condition. */
export function databaseFaultReason(error: Error): DatabaseFaultReason | undefined {
  const code = codeOf(error)
  if (code === '53100') return isOfSharedMemory(error) ? 'resources_used_up' : 'disk_full'
  if (code === '25006') return 'read_only'
  if (code === '53300') return 'connections_used_up'
  if (/^53...$/.test(code)) return 'resources_used_up'
  if (/^(28...|3D000)$/.test(code) || isClosedToLogins(error)) return 'login_refused'
  if (/^57P0[1235]$/.test(code)) return 'backend_stopped'
  if (code === '57014') return 'statement_cancelled'
  if (isOfClosedMonth(error)) return 'month_closed'
  return isConnectionFault(error) ? 'unreachable' : undefined
}

/**
 * /dev/shm has its own size limit, and the server uses one code for both. The routine's name is the same in every
 * language.
 */
const isOfSharedMemory = (error: Error): boolean => 'routine' in error && error.routine === 'dsm_impl_posix'

/** ALLOW_CONNECTIONS false, or CONNECT revoked. Statements raise the same codes, so the routine decides. */
const isClosedToLogins = (error: Error): boolean => 'routine' in error && error.routine === 'CheckMyDatabase'

/**
 * Happens only if the clock was set back: a month is closed once it is over. Raised by the guards of transfers and
 * documents.
 */
const isOfClosedMonth = (error: Error): boolean => 'constraint' in error && error.constraint === 'month_is_open'

/** @returns a transient condition as an error with its `reason` and when to retry; undefined for any other error. */
export function databaseFault(error: Error): AppError | undefined {
  const reason = databaseFaultReason(error)
  if (reason === undefined) return undefined
  const { code, message, retryAfterSeconds } = conditions[reason]
  const retry = reason === 'disk_full' ? 'patiently' : 'later'
  return new AppError(code, message, { cause: error, retry, retryAfterSeconds, extra: { reason } })
}

/**
 * True if the database rejected the statement's content and will do so again: a data rule, a constraint or a trigger.
 */
export const isRefusedForGood = (error: unknown): boolean => /^(21...|22...|23...|P0001)$/.test(codeOf(error))

/** Reads the errors of the database's own condition; both translators, HTTP and jobs, use it. */
import { AppError } from '../errors.ts'

/** True for faults of the connection itself (class 08, 57P0x, socket errors), after which it must not be reused. */
export function isConnectionFault(error: Error): boolean {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && /^(08...|57P0[1235]|25P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN)/.test(code)) {
    return true
  }
  return /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired|read timeout/.test(
    error.message,
  )
}

/**
 * @returns UNAVAILABLE while the database is away or overloaded (class 53, a cancelled statement), DATABASE_FULL for a full
 * disk; both pass. Undefined for any other error.
 */
export function databaseFault(error: Error): AppError | undefined {
  const code = (error as { code?: unknown }).code
  if (code === '53100') {
    const options = { cause: error, retry: 'later', retryAfterSeconds: 60 } as const
    return new AppError('DATABASE_FULL', "The database's disk is full. Try again when space was freed.", options)
  }
  if (!isConnectionFault(error) && !(typeof code === 'string' && /^(53...|57014)$/.test(code))) return undefined
  const options = { cause: error, retry: 'later', retryAfterSeconds: 2 } as const
  return new AppError('UNAVAILABLE', 'The database is away for a moment. Try again.', options)
}

/** True where the database refused what a statement says, and will again: a rule of the data, a constraint or a trigger. */
export function isRefusedForGood(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(21...|22...|23...|P0001)$/.test(code)
}

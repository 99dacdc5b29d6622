/** What an error says to the person at the command line. LOG_LEVEL=debug adds the stack. */
import { databaseFault } from '../../db/database-fault.ts'
import { stopIn } from '../../domain/stopped.ts'
import { AppError } from '../../errors.ts'
import { systemFault } from './system-fault.ts'

export interface Failure {
  readonly code: string
  readonly message: string
  readonly stack: string | undefined
}

export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, message: error.message, stack: undefined }
  const away = awayIn(error)
  if (away) return { ...away, stack: undefined }
  const stop = stopIn(error)
  if (stop) return { code: 'STOPPED', message: stop.message, stack: undefined }
  const refused = systemFault(error)
  if (refused !== undefined) return { code: 'FILE_REFUSED', message: refused, stack: undefined }
  return { code: 'INTERNAL', message: causesOf(error), stack: error instanceof Error ? error.stack : undefined }
}

/**
 * A fault in the state of the database, with the work that met it: `migration 0010 failed: The database's disk is full.
 * …`
 */
function awayIn(error: unknown): Omit<Failure, 'stack'> | undefined {
  if (!(error instanceof Error)) return undefined
  const away = error instanceof AppError ? error : databaseFault(error)
  if (away) return { code: away.code, message: away.message }
  const deeper = awayIn(error.cause)
  return deeper && { code: deeper.code, message: `${error.message}: ${deeper.message}` }
}

/** The error with its causes: `migration 0010 failed: permission denied for schema registry`. */
function causesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause === undefined ? error.message : `${error.message}: ${causesOf(cause)}`
}

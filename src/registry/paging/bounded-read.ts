/** Several reads of one moment under a statement timeout; what runs into it is refused with a reason, not left to run. */
import type { Db, Tx } from '../../db/db.ts'
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'

export const timeoutMsDefault = 5_000
/** SQLSTATE of a statement that was cancelled. */
const queryCanceled = '57014'

/** @throws AppError QUERY_TOO_EXPENSIVE when a statement passes the timeout. */
export async function boundedRead<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  timeoutMs: number = timeoutMsDefault,
): Promise<T> {
  try {
    return await db.readSnapshot(timeoutMs, work)
  } catch (error) {
    if (codeOf(error) !== queryCanceled) throw error
    throw ranTooLong(Math.min(timeoutMs, db.snapshotTimeoutMax ?? timeoutMs), error)
  }
}

export function ranTooLong(timeoutMs: number, cause?: unknown): AppError {
  return new AppError(
    'QUERY_TOO_EXPENSIVE',
    `The query ran longer than ${timeoutMs / 1000} s and was stopped. Narrow it by an identifier, State, City, a date or a code.`,
    { ...(cause === undefined ? {} : { cause }), extra: { reason: 'statement_timeout', timeout_ms: timeoutMs } },
  )
}

/**
 * Several consistent reads under a statement timeout; a read that exceeds it fails with a reason instead of running on.
 */
import type { Db, Tx } from '../../db/db.ts'
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'

export const timeoutMsDefault = 5_000
/** SQLSTATE of a cancelled statement. */
const queryCanceled = '57014'

/** @throws AppError QUERY_TOO_EXPENSIVE if a statement exceeds the timeout. */
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

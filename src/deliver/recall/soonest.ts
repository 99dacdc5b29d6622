/**
 * Chooses which failure of several destinations to throw: the one that is retried first, since one job serves them
 * all.
 */
import { AppError } from '../../errors.ts'

/** Longest wait for a CRM that is down, if others have a set time for their retry. */
const passingMs = 60_000

/** @param failures at least one. */
export function soonestOf(failures: readonly Error[]): Error {
  const [soonest, ...others] = failures.toSorted((a, b) => waitOf(a) - waitOf(b))
  if (soonest === undefined) throw new Error('nothing failed')
  // An attempt that counts would use up the job's retries, also for destinations that only wait.
  if (!others.some(isWaitedFor) || isWaitedFor(soonest)) return soonest
  const code = soonest instanceof AppError ? soonest.code : 'INTERNAL'
  return new AppError(code, soonest.message, { retry: { afterMs: passingMs }, cause: soonest })
}

const isWaitedFor = (error: Error): boolean => error instanceof AppError && typeof error.retry === 'object'

function waitOf(error: Error): number {
  if (!(error instanceof AppError)) return passingMs
  if (typeof error.retry === 'object') return error.retry.afterMs
  return error.retry === 'never' ? Number.POSITIVE_INFINITY : passingMs
}

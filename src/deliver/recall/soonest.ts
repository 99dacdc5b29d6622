/** Of the failures of several destinations goes out the one that is tried again first: one job serves them all. */
import { AppError } from '../../errors.ts'

/** As long as a CRM that is away for reasons of its own may be waited for, once others say how long they are. */
const passingMs = 60_000

/** @param failures one at least. */
export function soonestOf(failures: readonly Error[]): Error {
  const [soonest, ...others] = failures.toSorted((a, b) => waitOf(a) - waitOf(b))
  if (soonest === undefined) throw new Error('nothing failed')
  // A try that is counted would be the last one at some time, also for those that only wait.
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

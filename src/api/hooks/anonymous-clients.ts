/**
 * Calls that fail authentication are counted by address, in memory, before any of them costs more than reading it.
 *
 * Only failures are charged, and an empty bucket only changes the response to a failure: a call with valid credentials
 * always gets in, even from an address that floods, because behind an untrusted proxy everybody shares one address.
 * Bounded in size; a restart clears it, which gives a flood one more bucketful.
 */
import { anonymousBounds } from '../../../config/http-bounds.ts'
import { loginThrottle } from '../../../config/sign-in.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { AppError } from '../../errors.ts'
import { createBuckets } from '../../limits/bucket.ts'
import { createGate, isRefused } from '../../limits/gate.ts'
import { refusedBy } from '../../limits/refused-by.ts'

export interface FailureBucket {
  /** Charges a failure. @returns seconds until the next failure gets its own error; 0 if this one may. */
  charge(address: string): number
  /** true where the next failure would be refused anyway, so that no work need be spent on it. */
  isEmpty(address: string): boolean
}

interface FailureBounds {
  readonly failuresMax: number
  readonly failuresPerSecond: number
  readonly addressesMax: number
}

/** @param nowMs a monotonic clock. */
export function createFailureBucket(bounds: FailureBounds, nowMs?: () => number): FailureBucket {
  const { failuresMax, failuresPerSecond, addressesMax } = bounds
  const failures = createBuckets({ atOnce: failuresMax, perSecond: failuresPerSecond, keysMax: addressesMax }, nowMs)
  return {
    charge(address) {
      const source = addressBucket(address)
      return failures.take(source) ? 0 : failures.waitSeconds(source)
    },
    isEmpty: (address) => failures.left(addressBucket(address)) < 1,
  }
}

export interface AnonymousClients {
  /** Counts wrong API keys, as tightly as the specification requires. */
  readonly logins: FailureBucket
  /** The same for operator tokens that were never issued. */
  readonly operatorTokens: FailureBucket
  /** Counts all other failures of authentication. */
  readonly others: FailureBucket
  /**
   * Work for unknown credentials: a wrong one is counted in the database behind locks, and a flood of them would take
   * every connection. A few run, some wait, and the others are not checked. @returns undefined, without running the
   * work, where too many are waiting.
   */
  count<T>(work: () => Promise<T>): Promise<{ readonly value: T } | undefined>
  /** The reply to a failed call: its own error, or 429 where its address has failed too often. */
  answerTo(error: unknown, address: string): unknown
}

/** Codes for credentials that were sent, or should have been, and that allow nothing. */
const failures: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'API_KEY_AS_BEARER',
  'WRONG_AUDIENCE',
  'INVALID_REFRESH_TOKEN',
  'INVALID_SIGN_IN_CODE',
  'OPERATOR_TOKEN_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'WEBHOOK_SIGNATURE_INVALID',
])

export function createAnonymousClients(nowMs?: () => number): AnonymousClients {
  const { failuresMax, windowMinutes } = loginThrottle
  const perSecond = failuresMax / (windowMinutes * 60)
  const { addressesMax } = anonymousBounds
  const guesses = { failuresMax, failuresPerSecond: perSecond, addressesMax }
  const logins = createFailureBucket(guesses, nowMs)
  const others = createFailureBucket(anonymousBounds, nowMs)
  return {
    logins,
    operatorTokens: createFailureBucket(guesses, nowMs),
    others,
    count: createCounting(),
    answerTo(error, address) {
      if (!(error instanceof AppError)) return error
      const isLogin = error.code === 'INVALID_API_KEY'
      if (!isLogin && !failures.has(error.code)) return error
      const retryAfterSeconds = (isLogin ? logins : others).charge(address)
      if (retryAfterSeconds === 0) return error
      const wait = `Try again in ${retryAfterSeconds} seconds.`
      const options = { retryAfterSeconds, cause: error }
      return isLogin
        ? refusedBy('wrongKeysInMemory', `Too many failed logins. ${wait}`, options)
        : refusedBy('anonymousFailures', `Too many calls without valid credentials. ${wait}`, options)
    },
  }
}

function createCounting(): AnonymousClients['count'] {
  const { runningMax, waitingMax } = anonymousBounds
  const gate = createGate({ places: runningMax })
  return async (work) => {
    const entered = await gate.enter('', { atOnce: runningMax, waiting: waitingMax })
    if (isRefused(entered)) return undefined
    try {
      return { value: await work() }
    } finally {
      entered()
    }
  }
}

/**
 * Calls that fail authentication are counted by address, in memory, before any of them costs more than reading it.
 *
 * Only failures are charged, and an empty bucket changes only what a failure is answered: a call with valid
 * credentials always gets in, also from an address that floods, for behind a proxy that is not trusted everybody is
 * one address. Bounded in size; a restart forgets everything, which gives a flood one more bucketful.
 */
import { anonymousBounds } from '../../../config/http-bounds.ts'
import { loginThrottle } from '../../../config/sign-in.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { AppError } from '../../errors.ts'
import { createBuckets } from '../../limits/bucket.ts'
import { createGate, isRefused } from '../../limits/gate.ts'
import { refusedBy } from '../../limits/refused-by.ts'

export interface FailureBucket {
  /** Charges a failure. @returns seconds to wait before the next will be answered as what it is; 0 where this one may be. */
  charge(address: string): number
  /** True where the next failure would be refused anyhow, so that nothing need be spent on it. */
  isEmpty(address: string): boolean
}

interface FailureBounds {
  readonly failuresMax: number
  readonly failuresPerSecond: number
  readonly addressesMax: number
}

/** @param nowMs a clock that only goes forward. */
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
  /** Where wrong API keys are counted: as tightly as the specification asks. */
  readonly logins: FailureBucket
  /** The same for operator tokens that nobody was given. */
  readonly operatorTokens: FailureBucket
  /** Where all other failures of authentication are counted. */
  readonly others: FailureBucket
  /**
   * Work for credentials that are not known: a wrong one is counted in the database, behind locks, and so many of those
   * at once would take every connection. Few run, some wait, and the others are not read.
   * @returns undefined, without running the work, where too much waits.
   */
  count<T>(work: () => Promise<T>): Promise<{ readonly value: T } | undefined>
  /** What a failed call is answered: its own error, or 429 where its address has failed too often. */
  answerTo(error: unknown, address: string): unknown
}

/** Codes of credentials that somebody sent, or should have sent, and that open nothing. */
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

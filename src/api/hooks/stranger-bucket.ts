/**
 * Calls that fail authentication are counted by address, in memory, before any of them costs more than reading it.
 *
 * Only failures are charged, and an empty bucket changes only what a failure is answered: a call with valid
 * credentials always gets in, also from an address that floods, for behind a proxy that is not trusted everybody is
 * one address. Bounded in size; a restart forgets everything, which gives a flood one more bucketful.
 */
import { strangerBounds } from '../../../config/http-bounds.ts'
import { loginThrottle } from '../../../config/sign-in.ts'
import { addressBucket } from '../../domain/client-address.ts'
import { AppError } from '../../errors.ts'
import { createAllowance } from '../allowance.ts'
import { createNarrowLane, type NarrowLane } from './narrow-lane.ts'

export interface StrangerBucket {
  /** Charges a failure. @returns seconds to wait before the next will be answered as what it is; 0 where this one may be. */
  charge(address: string): number
  /** True where the next failure would be refused anyhow, so that nothing need be spent on it. */
  isEmpty(address: string): boolean
}

interface BucketSize {
  readonly failuresMax: number
  readonly failuresPerSecond: number
  readonly addressesMax: number
}

/** @param nowMs a clock that only goes forward. */
export function createBucket(size: BucketSize, nowMs: () => number = () => performance.now()): StrangerBucket {
  const { failuresMax, failuresPerSecond, addressesMax } = size
  const failures = createAllowance({ atOnce: failuresMax, perSecond: failuresPerSecond, keysMax: addressesMax }, nowMs)
  return {
    charge(address) {
      const source = addressBucket(address)
      if (failures.take(source, 1)) return 0
      return Math.max(1, Math.ceil((1 - failures.left(source)) / failuresPerSecond))
    },
    isEmpty: (address) => failures.left(addressBucket(address)) < 1,
  }
}

export interface Strangers {
  /** Where wrong API keys are counted: as tightly as the specification asks. */
  readonly logins: StrangerBucket
  /** The same for operator tokens that nobody was given. */
  readonly operatorTokens: StrangerBucket
  /** Where all other failures of authentication are counted. */
  readonly others: StrangerBucket
  /** For what costs the database something and is probably wrong. */
  readonly lane: NarrowLane
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

export function createStrangers(nowMs?: () => number): Strangers {
  const { failuresMax, windowMinutes } = loginThrottle
  const perSecond = failuresMax / (windowMinutes * 60)
  const { addressesMax } = strangerBounds
  const guesses = { failuresMax, failuresPerSecond: perSecond, addressesMax }
  const logins = createBucket(guesses, nowMs)
  const others = createBucket(strangerBounds, nowMs)
  return {
    logins,
    operatorTokens: createBucket(guesses, nowMs),
    others,
    lane: createNarrowLane(strangerBounds.runningMax, strangerBounds.waitingMax),
    answerTo(error, address) {
      if (!(error instanceof AppError)) return error
      const isLogin = error.code === 'INVALID_API_KEY'
      if (!isLogin && !failures.has(error.code)) return error
      const retryAfterSeconds = (isLogin ? logins : others).charge(address)
      if (retryAfterSeconds === 0) return error
      const wait = `Try again in ${retryAfterSeconds} seconds.`
      return isLogin
        ? new AppError('LOGIN_THROTTLED', `Too many failed logins. ${wait}`, { retryAfterSeconds, cause: error })
        : new AppError('RATE_LIMITED', `Too many calls without valid credentials. ${wait}`, {
            retryAfterSeconds,
            cause: error,
          })
    },
  }
}

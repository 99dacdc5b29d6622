/**
 * A fetch with retries: after a 429 or 503 it waits for `Retry-After`, after a broken connection with backoff. A
 * request that must not run twice is only sent again after a response that says it was refused.
 */
import { setTimeout as pause } from 'node:timers/promises'

export interface Patience {
  /** Attempts per call, including the first. */
  readonly triesMax: number
  /** A response that asks for a longer wait is returned to the caller. */
  readonly waitSecondsMax: number
}

/** @param mayRepeat whether the request may be sent again if it is unknown whether it arrived. */
export type PatientFetch = (request: Request, mayRepeat: boolean) => Promise<Response>

export function createPatientFetch({ triesMax, waitSecondsMax }: Patience): PatientFetch {
  return async (request, mayRepeat) => {
    for (let tried = 1; ; tried++) {
      const outcome = await attempt(request)
      const waitSeconds = secondsBeforeNextTry(outcome, mayRepeat && !request.signal.aborted, tried)
      if (tried < triesMax && waitSeconds !== undefined && waitSeconds <= waitSecondsMax) {
        if (outcome instanceof Response) await outcome.body?.cancel()
        await pause(waitSeconds * 1000, undefined, { signal: request.signal })
      } else if (outcome instanceof Response) {
        return outcome
      } else {
        throw outcome.failure
      }
    }
  }
}

interface Broken {
  readonly failure: unknown
}

async function attempt(request: Request): Promise<Response | Broken> {
  try {
    // A request can only be sent once, so a clone is sent.
    return await fetch(request.clone())
  } catch (failure) {
    return { failure }
  }
}

/** @returns undefined if another attempt would not help, or might act twice. */
function secondsBeforeNextTry(outcome: Response | Broken, mayRepeat: boolean, tried: number): number | undefined {
  if (outcome instanceof Response) {
    if (outcome.status !== 429 && outcome.status !== 503) return undefined
    const seconds = Number(outcome.headers.get('retry-after') ?? tried)
    return Number.isFinite(seconds) ? seconds : undefined
  }
  return mayRepeat ? 2 ** tried / 8 : undefined
}

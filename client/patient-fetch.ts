/**
 * A fetch that waits where the API asks for it: after a 429 or 503 for `Retry-After`, after a broken connection for a
 * growing pause. What may not happen twice is sent again only after an answer that says it was refused.
 */
import { setTimeout as pause } from 'node:timers/promises'

export interface Patience {
  /** Tries of one call, the first included. */
  readonly triesMax: number
  /** An answer that asks for a longer wait is handed to the caller. */
  readonly waitSecondsMax: number
}

/** @param mayRepeat whether the request may be sent again where nobody knows if it arrived. */
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
    // A request can be sent once; its copy carries the body again.
    return await fetch(request.clone())
  } catch (failure) {
    return { failure }
  }
}

/** @returns undefined where another try would not help, or might do something twice. */
function secondsBeforeNextTry(outcome: Response | Broken, mayRepeat: boolean, tried: number): number | undefined {
  if (outcome instanceof Response) {
    if (outcome.status !== 429 && outcome.status !== 503) return undefined
    const seconds = Number(outcome.headers.get('retry-after') ?? tried)
    return Number.isFinite(seconds) ? seconds : undefined
  }
  return mayRepeat ? 2 ** tried / 8 : undefined
}

/**
 * A server that is about to close announces it first: its /readyz is a 503 and each response ends its connection, while
 * it still serves requests. By the time it stops listening, the proxy has moved to another process.
 */
import { AppError } from '../errors.ts'

export interface Drain {
  begin(): void
  hasBegun(): boolean
}

export function createDrain(): Drain {
  let begun = false
  return {
    begin: () => {
      begun = true
    },
    hasBegun: () => begun,
  }
}

/** @throws AppError UNAVAILABLE */
export function refuseWhileDraining(drain: Drain): void {
  if (!drain.hasBegun()) return
  throw new AppError('UNAVAILABLE', 'This process is stopping. Send the call to another one.', {
    retryAfterSeconds: 1,
    extra: { reason: 'stopping' },
  })
}

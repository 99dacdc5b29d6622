/**
 * A server that is about to close says so first: its /readyz is a 503 and each answer ends its connection, while it still
 * serves whoever comes. A proxy has turned to another process by the time that nobody listens here any more.
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

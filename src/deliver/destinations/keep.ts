/** Whether the records of a destination follow later changes of the registers. */
import { AppError } from '../../errors.ts'

/** `delivered`: leads stay as they were delivered. `fresh`: changes from imports are sent too. */
export const keeps = ['delivered', 'fresh'] as const
export type Keep = (typeof keeps)[number]

/** @throws AppError DESTINATION_INVALID */
export function readKeep(word: string): Keep {
  const known = keeps.find((each) => each === word)
  if (known) return known
  throw new AppError('DESTINATION_INVALID', `keep: "${word}" is none of ${keeps.join(', ')}`)
}

/** @throws AppError DESTINATION_INVALID */
export function requireSendsAlone(keep: Keep, deliver: string): void {
  if (keep !== 'fresh' || deliver !== 'approved') return
  throw new AppError(
    'DESTINATION_INVALID',
    'keep: fresh sends what imports change without a plan, and deliver: approved sends nothing without one; choose one of them',
  )
}

/** What becomes of the records that a destination holds once the registers say something else: a word goes in, one that holds comes out. */
import { AppError } from '../../errors.ts'

/** `delivered`: what was bought stays as it was delivered. `fresh`: what an import changes follows. */
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

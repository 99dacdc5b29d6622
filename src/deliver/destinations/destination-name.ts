/** What names a destination may have. */
import { AppError } from '../../errors.ts'

/** @throws AppError DESTINATION_INVALID */
export function readName(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= 100) return name
  throw new AppError('DESTINATION_INVALID', 'The name of a destination has 1 to 100 characters')
}

export const nameTaken = (name: string) =>
  new AppError('CONFLICT', `The account already has a destination named ${name}`)

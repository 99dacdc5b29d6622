/** A month as an argument: `2026-04`. */
import { InvalidArgumentError } from 'commander'

export function monthArgument(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('It must be a month written YYYY-MM.')
}

/** A month as a command is told it: `2026-04`. */
import { InvalidArgumentError } from 'commander'

export function monthArgument(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('it is a month written YYYY-MM.')
}

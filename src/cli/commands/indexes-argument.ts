/** Rows of an order in an option: numbers from 0, separated by commas. */
import { InvalidArgumentError } from 'commander'

export function indexesArgument(text: string): number[] {
  if (!/^\d{1,4}(,\d{1,4})*$/.test(text)) throw new InvalidArgumentError('They must be numbers from 0, such as 0,3.')
  return text.split(',').map(Number)
}

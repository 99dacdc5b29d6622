/** What an operator says in words, held against the rules of the API: why something is done, the word under which it is done once, a name. */
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'
import { addressText, reasonText, referenceText, wording } from '../../api/parameters.ts'

const checkedBy =
  (rule: z.ZodType<string>) =>
  (text: string): string => {
    const { success, data, error } = rule.safeParse(text)
    if (success) return data
    throw new InvalidArgumentError(`${error.issues[0]?.message.replace(/\.$/, '') ?? 'it is not good'}.`)
  }

export const reasonArgument = checkedBy(reasonText('why'))
export const referenceArgument = checkedBy(referenceText('under which it is done once'))
/** Of an API key. */
export const keyNameArgument = checkedBy(wording(100))
/** Of an account. */
export const accountNameArgument = checkedBy(wording(200))
export const addressArgument = checkedBy(addressText('of an account'))

/** Rupees as options name them. @returns paise. */
export function paiseArgument(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('they are rupees such as 590 or 590.50.')
  return Math.round(Number(text) * 100)
}

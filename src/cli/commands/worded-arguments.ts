/** Free-text arguments of an operator: a reason, an idempotency reference, an address, a name. */
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'
import { addressText, wording } from '../../api/parameters.ts'
import { faultWords } from '../../domain/fault-words.ts'

/** Reasons are read later, in the audit log or with what was done. */
export const reasonArgument = (text: string): string => said(text, 'Say why.')

export const referenceArgument = (text: string): string => said(text, 'A reference must not be empty.')

function said(text: string, refusal: string): string {
  const words = text.trim()
  if (words === '') throw new InvalidArgumentError(refusal)
  return words
}

/** Applies the API's rule where no operation is called that would check the value. */
const checkedBy =
  (rule: z.ZodType<string>) =>
  (text: string): string => {
    const { data, error } = rule.safeParse(text, { error: faultWords })
    if (data !== undefined) return data
    throw new InvalidArgumentError(`It ${error?.issues[0]?.message}.`)
  }

export const keyNameArgument = checkedBy(wording(100))
export const accountNameArgument = checkedBy(wording(200))
export const addressArgument = checkedBy(addressText('of an account'))

/** Rupees in an option; zero is not an amount. @returns paise. */
export function paiseArgument(text: string): number {
  const paise = /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0
  if (paise === 0) throw new InvalidArgumentError('It must be an amount above zero in rupees, such as 590 or 590.50.')
  return paise
}

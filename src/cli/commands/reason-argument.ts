/** What an operator says of an act: why it is done, and the word under which it is done once. */
import { InvalidArgumentError } from 'commander'

/** Others read it later, in the audit log or with what was done. */
export const reasonArgument = (text: string): string => said(text, 'say why.')

export const referenceArgument = (text: string): string => said(text, 'a reference is not empty.')

function said(text: string, refusal: string): string {
  const words = text.trim()
  if (words === '') throw new InvalidArgumentError(refusal)
  return words
}

/** Rupees as options name them. @returns paise. */
export function paiseArgument(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('they are rupees such as 590 or 590.50.')
  return Math.round(Number(text) * 100)
}

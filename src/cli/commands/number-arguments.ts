/** Numeric options within bounds, or a keyword instead. Anything else is wrong usage. */
import { InvalidArgumentError } from 'commander'

/** A whole number without sign or decimal point. */
export const wholeNumber =
  (least: number, most = 9_999_999_999) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,10}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }

export const count = wholeNumber(0)
export const shownLimit = wholeNumber(1, 1_000_000)
/** TCP port; 0 picks a free one. */
export const portArgument = wholeNumber(0, 65_535)

/** A decimal fraction of one. */
export const share =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d(\.\d{1,6})?$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a share from ${least} to ${most}.`)
  }

/** @param none the keyword that unsets a choice: it is read as null. */
export const orNone =
  <Value>(none: string, read: (text: string) => Value) =>
  (text: string): Value | null =>
    text === none ? null : read(text)

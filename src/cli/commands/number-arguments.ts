/** Numbers that options name: one within bounds, or a word in its place. What is neither is wrong usage. */
import { InvalidArgumentError } from 'commander'

/** A whole number without sign or point. */
export const wholeNumber =
  (least: number, most = 9_999_999_999) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,10}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`it is a whole number from ${least} to ${most}.`)
  }

export const count = wholeNumber(0)
/** How many rows are shown. */
export const shownLimit = wholeNumber(1, 1_000_000)
/** TCP; 0 takes a free one. */
export const portArgument = wholeNumber(0, 65_535)

/** A part of one, in decimals. */
export const share =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d(\.\d{1,6})?$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`it is a share from ${least} to ${most}.`)
  }

/** @param none the word that takes a choice back: it comes out as null. */
export const orNone =
  <Value>(none: string, read: (text: string) => Value) =>
  (text: string): Value | null =>
    text === none ? null : read(text)

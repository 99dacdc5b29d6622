/** The GST within a sum that includes it, and the part of net and tax that goes back with a part of the sum. */
import { gstPercent } from '../../../config/sales.ts'

export interface Split {
  /** Paise without tax. */
  readonly net: number
  /** Paise of tax. */
  readonly tax: number
}

/** @param total paise, tax included. Net and tax add up to it. */
export function splitTax(total: number, percent: number = gstPercent): Split {
  const tax = Math.round((total * percent) / (100 + percent))
  return { net: total - tax, tax }
}

/**
 * What belongs to the step from `before` to `after` of `total`: steps that reach the total add up to the whole, however
 * many there are.
 */
export function shareOf(
  whole: number,
  { before, after, total }: Readonly<Record<'before' | 'after' | 'total', number>>,
) {
  const upTo = (part: number) => Math.floor((whole * part) / total)
  return upTo(after) - upTo(before)
}

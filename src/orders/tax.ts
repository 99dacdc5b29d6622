/** The GST included in a sum, and the part of it in a partial refund. */
import { gstPercent } from '../../config/sales.ts'

export interface Split {
  /** Paise without tax. */
  readonly net: number
  /** Paise of tax. */
  readonly tax: number
}

/**
 * Net and tax add up to the sum, and the tax is even, so that central and state tax are equal to the paisa. The
 * buyer's state does not matter, since it may not be known yet.
 * @param total paise, tax included.
 */
export function splitTax(total: number, percent: number = gstPercent): Split {
  const tax = 2 * Math.round((total * percent) / (2 * (100 + percent)))
  return { net: total - tax, tax }
}

/** Central and state tax; an odd paisa, which only occurs in parts of single paise, goes to the first. */
export function halvesOf(tax: number): { readonly cgst: number; readonly sgst: number } {
  const sgst = Math.floor(tax / 2)
  return { cgst: tax - sgst, sgst }
}

export interface PartGivenBack {
  /** Paise that were paid, and the tax within them. */
  readonly total: number
  readonly tax: number
  /** Refunded before, of these amounts. */
  readonly before: number
  readonly taxBefore: number
  /** Paise to refund now, of what is left. */
  readonly amount: number
}

/**
 * The tax within a partial refund: the even number of paise nearest to its share of what is left, limited so that the
 * remainder can still contain the rest of the tax. Partial refunds that reach the total therefore add up to the tax
 * of the invoice.
 */
export function taxOfPart({ total, tax, before, taxBefore, amount }: PartGivenBack): number {
  const left = tax - taxBefore
  const stays = total - before - amount
  const least = Math.max(0, left - stays)
  const most = Math.min(amount, left)
  const share = 2 * Math.round((tax * (before + amount)) / (2 * total) - taxBefore / 2)
  const [lowest, highest] = [2 * Math.ceil(least / 2), 2 * Math.floor(most / 2)]
  return lowest <= highest ? Math.max(lowest, Math.min(highest, share)) : least
}

/**
 * The share of `whole` for the step from `before` to `after` of `total`: steps that reach the total add up to the
 * whole, however many there are.
 */
export function shareOf(
  whole: number,
  { before, after, total }: Readonly<Record<'before' | 'after' | 'total', number>>,
) {
  const upTo = (part: number) => Math.floor((whole * part) / total)
  return upTo(after) - upTo(before)
}

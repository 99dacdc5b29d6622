/**
 * Counts as they may be shown. With conditions on recent days, the difference of two exact counts would reveal, for the
 * price of a search each, how many of any set of records are newly registered, which is what the feeds sell. What one
 * page shows anyway stays exact; larger counts are rounded up, so that no page is missed.
 */
import type { Queryable } from '../../db/db.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import type { ScreenerType } from './fields.ts'
import { asksForSold, type CountsShown } from './withhold.ts'

/** If nothing in the register is withheld from the account, differences reveal nothing, and all counts are exact. */
export async function readCountsShown(
  tx: Queryable,
  type: ScreenerType,
  counts: CountsShown,
  sold: SoldRegistrations | null,
): Promise<CountsShown> {
  if (counts === 'exact' || sold === null) return 'exact'
  const { text, values } = asksForSold(type, sold)
  const [held] = await tx.query<{ sold: boolean }>(text, values)
  return held?.sold ? 'rounded' : 'exact'
}

/** Size of the largest page. */
export const exactCountsMax = 100

/** A count without its records. */
export const shownCount = (shown: CountsShown, count: number): number => (shown === 'exact' ? count : roundedUp(count))

/** Rounds up to two digits, at least to a multiple of a hundred. */
function roundedUp(count: number): number {
  const step = Math.max(exactCountsMax, 10 ** (String(count).length - 2))
  return Math.ceil(count / step) * step
}

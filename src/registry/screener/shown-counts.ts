/**
 * Counts as they may be shown. Of a condition on recent days an exact count would tell by difference, at the price of one
 * search each, how many of any set of records are newly registered: that is what the feeds sell. What one page shows anyway
 * stays exact; beyond it counts are rounded up, so that whoever follows the pages misses none.
 */
import type { Queryable } from '../../db/db.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import type { ScreenerType } from './fields.ts'
import { readPermitted } from './permitted.ts'
import { asksForSold, type CountsShown } from './withhold.ts'

/** Where the register holds nothing that is sold to others, a difference tells nothing, and every count is exact. */
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

/** How counts of `counted` records of a query may be shown: what one page shows anyway is exact. @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS */
export async function readQueryCountsShown(
  db: Queryable,
  asked: { readonly type: ScreenerType; readonly query: string; readonly sold: SoldRegistrations | null },
  counted: number,
): Promise<CountsShown> {
  const { type, query, sold } = asked
  if (counted <= stepLeast) return 'exact'
  return readCountsShown(db, type, readPermitted(type, query, sold).counts, sold)
}

/** Records of the largest page. */
const stepLeast = 100

/** The total of a search, whose records can be read. */
export const readShownTotal = async (
  tx: Queryable,
  type: ScreenerType,
  counts: CountsShown,
  sold: SoldRegistrations | null,
  total: number,
): Promise<number> => (total <= stepLeast ? total : shownCount(await readCountsShown(tx, type, counts, sold), total))

/** A count without its records. */
export const shownCount = (shown: CountsShown, count: number): number => (shown === 'exact' ? count : roundedUp(count))

/** To two digits, and no finer than a hundred. */
function roundedUp(count: number): number {
  const step = Math.max(stepLeast, 10 ** (String(count).length - 2))
  return Math.ceil(count / step) * step
}

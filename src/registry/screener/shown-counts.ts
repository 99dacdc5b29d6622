/**
 * Counts as they may be shown. With conditions on recent days, the difference of two exact counts would reveal, for the
 * price of a search each, how many of any set of records are newly registered, which is what the feeds sell. What one
 * page shows anyway stays exact; larger counts are rounded up, so that no page is missed.
 */
import type { Queryable } from '../../db/db.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import type { ScreenerType } from './fields.ts'
import { readPermitted } from './permitted.ts'
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

/**
 * How counts of `counted` records of a query may be shown; what one page shows anyway is exact.
 * @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS
 */
export async function readQueryCountsShown(
  db: Queryable,
  asked: { readonly type: ScreenerType; readonly query: string; readonly sold: SoldRegistrations | null },
  counted: number,
): Promise<CountsShown> {
  const { type, query, sold } = asked
  if (counted <= stepLeast) return 'exact'
  return readCountsShown(db, type, readPermitted(type, query, sold).counts, sold)
}

/** Size of the largest page. */
const stepLeast = 100

/** The total of a search whose records can be read. */
export const readShownTotal = async (
  tx: Queryable,
  type: ScreenerType,
  counts: CountsShown,
  sold: SoldRegistrations | null,
  total: number,
): Promise<number> => (total <= stepLeast ? total : shownCount(await readCountsShown(tx, type, counts, sold), total))

/** A count without its records. */
export const shownCount = (shown: CountsShown, count: number): number => (shown === 'exact' ? count : roundedUp(count))

/** Rounds up to two digits, at least to a multiple of a hundred. */
function roundedUp(count: number): number {
  const step = Math.max(stepLeast, 10 ** (String(count).length - 2))
  return Math.ceil(count / step) * step
}

/** Details of a run besides its counts, stored in ingest.run.report. */
import type { Checked } from '../check/check.ts'
import type { DateOrderDecision } from '../check/date-order.ts'
import type { Matched } from '../check/match.ts'
import type { HeaderMatch } from '../header-match.ts'
import type { ReadThrough } from '../stage/read-snapshot.ts'
import type { HeaderDrift } from './header-drift.ts'

export interface RunReport {
  readonly rejects: Readonly<Record<string, number>>
  /** Of these, the ones that `panji rejects` shows. */
  readonly rejects_kept: number
  readonly repaired: Readonly<Record<string, number>>
  /** Field → the order of day and month in its dates, and what determined it. */
  readonly date_orders: Readonly<Record<string, DateOrderDecision>>
  readonly unknown_words: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly header: HeaderMatch['drift']
  /** Compared with the header of the source's previous run; null if nothing differs. */
  readonly header_drift: HeaderDrift | null
  readonly stale_scopes: readonly string[]
  /**
   * Records that were checked. The others are unchanged according to their fingerprints; repairs and unknown words are
   * counted in checked records only.
   */
  readonly checked: number
  /** Of these, the ones that are not rejects. */
  readonly usable: number
  /** Column → usable records without a value, for the columns that the header covers. */
  readonly empty_cells: Readonly<Record<string, number>>
  /** Kept while the run needs approval, so that it can continue from here. */
  readonly matched: Matched | null
  /** Records that never reached the checked table. */
  readonly rejected_at_stage: number
  readonly seconds: Readonly<Record<string, number>>
  readonly bytes_per_second: number
}

export function reportOf(
  read: ReadThrough,
  checked: Checked,
  drift: HeaderDrift | null,
  seconds: Readonly<Record<string, number>>,
  bytes: number,
): RunReport {
  const spent = Object.values(seconds).reduce((sum, each) => sum + each, 0)
  return {
    rejects: added(read.rejectsByCode, checked.rejectsByCode),
    rejects_kept: read.rejectsKept + checked.rejectsKept,
    repaired: added(read.repaired, checked.repaired),
    date_orders: Object.fromEntries(checked.dateOrders),
    unknown_words: checked.unknownWords,
    header: read.match.drift,
    header_drift: drift,
    stale_scopes: [],
    checked: checked.rows,
    usable: checked.usable,
    empty_cells: checked.emptyCells,
    matched: checked.matched ?? null,
    rejected_at_stage: read.rejected,
    seconds,
    bytes_per_second: Math.round(bytes / Math.max(spent, 0.001)),
  }
}

function added(...counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/** Rounded to a millisecond. */
export const secondsSince = (started: number): number => Math.round(performance.now() - started) / 1000

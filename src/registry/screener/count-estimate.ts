/**
 * Rejects a count before it runs if it cannot finish in time: rows that the planner expects to read × comparisons per
 * row × the time of a comparison on this machine.
 *
 * The last factor is measured: each count that was estimated and ran updates it. It never exceeds the value for a fast
 * machine, so a busy period, or a client that causes one, does not get other queries rejected; a count estimated too
 * low is ended by the statement timeout.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { comparisonsOf } from './comparisons.ts'
import { readPlan, rowsLookedAt } from './plan.ts'
import type { ReadQuery } from './read.ts'

export interface EstimatedCount {
  readonly read: ReadQuery
  /** The statement that counts. */
  readonly sql: string
  /** Approximate rows of the register. */
  readonly registerRows: number
  readonly timeoutMs: number
}

/** Nanoseconds per comparison on a fast, idle machine. */
const nanosecondsMax = 30
/** A count is rejected if its estimate exceeds the limit by this factor. */
const margin = 2
/** With fewer comparisons, the statement's own overhead dominates. */
const comparisonsMin = 1_000_000
const measuredByDb = new WeakMap<object, number>()

/**
 * Runs a count if it is expected to finish in time.
 * @throws AppError QUERY_TOO_EXPENSIVE
 */
export async function countIfAffordable<Row extends object>(
  db: Db,
  tx: Queryable,
  count: EstimatedCount,
): Promise<Row[]> {
  const tookMs = await estimateCount(db, tx, count)
  const started = performance.now()
  const rows = await tx.query<Row>(count.sql, count.read.values)
  tookMs(performance.now() - started)
  return rows
}

/**
 * @returns a function to report how long the count took.
 * @throws AppError QUERY_TOO_EXPENSIVE with the reason `estimate`
 */
export async function estimateCount(db: Db, tx: Queryable, count: EstimatedCount): Promise<(ms: number) => void> {
  const { read, registerRows, timeoutMs } = count
  const perRow = comparisonsOf(read.node)
  // Even reading all rows finishes in time, so the planner need not be asked.
  if ((registerRows * perRow * nanosecondsMax) / 1e6 <= timeoutMs * margin) return () => {}
  const nanoseconds = measuredByDb.get(db.identity) ?? nanosecondsMax
  const msOf = (rows: number) => (rows * perRow * nanoseconds) / 1e6
  const rows = rowsLookedAt(await readPlan(tx, count.sql, read.values), registerRows)
  const estimatedMs = Math.round(msOf(rows))
  if (estimatedMs > timeoutMs * margin) {
    throw new AppError(
      'QUERY_TOO_EXPENSIVE',
      `The query would look at about ${Math.round(rows)} records with ${Math.ceil(perRow)} comparisons each, some ${Math.ceil(estimatedMs / 1000)} s where ${timeoutMs / 1000} s are allowed. Narrow it by an identifier, State, City, a date or a code.`,
      { extra: { reason: 'estimate', estimated_ms: estimatedMs, timeout_ms: timeoutMs } },
    )
  }
  return (ms) => {
    if (rows * perRow < comparisonsMin) return
    const measured = Math.min((ms * 1e6) / (rows * perRow), nanosecondsMax)
    measuredByDb.set(db.identity, nanoseconds + (measured - nanoseconds) / 8)
  }
}

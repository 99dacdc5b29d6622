/**
 * Totals of a feed within its filters, summed from the register's counts: for filters by day, state, status and
 * business type, the whole country costs no more than a page. Other filters are counted in the register.
 */
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { asksTooManyDays, type CountedColumn, countedDays, countedRows } from '../counts/counted-records.ts'
import type { Edge } from '../counts/periods.ts'
import { applied, conditionsOf, type FeedBound } from './feed-bounds.ts'

/** True if the counts can answer every filter that applies. */
export const isCounted = (common: readonly FeedBound[], parts: readonly (readonly FeedBound[])[]): boolean =>
  parts.every((part) => {
    const bounds = applied([...common, ...part])
    return bounds.every(({ counted }) => counted) && !asksTooManyDays(columnsOf(bounds), edgesOf(bounds))
  })

/**
 * One select per part, like those of partSelects, of rows `f` that each represent `f.records`; no record is in two
 * parts. If a filter excludes only few records, everything is counted and these are subtracted one by one.
 * @param columns of a row `f`.
 * @param parameter binds a value and returns its placeholder.
 * @param byDay whether the result needs the day itself.
 */
export function countedSelects(
  dataset: EntityType,
  columns: string,
  common: readonly FeedBound[],
  parts: readonly (readonly FeedBound[])[],
  parameter: (value: unknown) => string,
  byDay = false,
): string[] {
  return parts.map((part) => {
    const bounds = applied([...common, ...part])
    const conditions = conditionsOf(
      bounds.filter(({ leavesFew }) => !leavesFew),
      parameter,
    )
    const leftOut = bounds
      .filter(({ leavesFew }) => leavesFew)
      .map((bound) => sql`NOT (${bound.sql(...(bound.values ?? []).map(parameter))})`)
    const few = leftOut.map(
      (isLeftOut) =>
        sql` UNION ALL SELECT registered_on, state, status, business_type, -1 FROM feed.${dataset} f WHERE ${isLeftOut}`,
    )
    const rows = byDay ? countedDays(dataset) : countedRows(dataset, columnsOf(bounds), edgesOf(bounds), parameter)
    return sql`SELECT ${columns} FROM (SELECT period AS registered_on, state, status, business_type, records FROM (${rows}) AS counted${few.join('')}) AS f
      WHERE f.registered_on IS NOT NULL${conditions}`
  })
}

const columnsOf = (bounds: readonly FeedBound[]): ReadonlySet<CountedColumn> =>
  new Set(bounds.flatMap(({ counted }) => counted ?? []))

const edgesOf = (bounds: readonly FeedBound[]): Edge[] => bounds.flatMap(({ edges }) => edges ?? [])

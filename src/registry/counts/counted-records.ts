/**
 * Totals of a register without scanning it: counts that every change of the register updates, queried like its rows.
 * The number of open records that meet a condition is the sum of the counts that meet it, if the counts are broken down
 * by its columns.
 */
import { literal, sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { type Edge, periodsBetween } from './periods.ts'

/** Column of the register → column of the counts, as in migrations/functions/feed.counted_columns.sql. */
const columnsOf = {
  company: {
    incorporated_on: 'period',
    state: 'state',
    status: 'status',
    company_type: 'business_type',
    class: 'class',
  },
  gst: { registered_on: 'period', state: 'state', status: 'status', constitution: 'business_type' },
  director: { approved_on: 'period', state: 'state', status: 'status' },
} as const satisfies Record<EntityType, Readonly<Record<string, CountedColumn>>>

export type CountedColumn = 'period' | 'state' | 'status' | 'business_type' | 'class'
/** The columns of the counts per day. */
const columnsOfDays: ReadonlySet<CountedColumn> = new Set(['period', 'state'])
const areCountedByDay = (columns: ReadonlySet<CountedColumn>) =>
  [...columns].every((column) => columnsOfDays.has(column))

/**
 * Records of at most this many days are counted individually; for more, that costs no less than counting the register.
 */
const recordDaysMax = 100

/**
 * @param asked columns of the register.
 * @returns undefined if the counts cannot answer a condition on these.
 */
export function countedColumns(
  dataset: EntityType,
  requested: Iterable<string>,
): ReadonlySet<CountedColumn> | undefined {
  const counted = new Map<string, CountedColumn>(Object.entries(columnsOf[dataset]))
  const columns = [...requested].map((column) => counted.get(column))
  return columns.every((column) => column !== undefined) ? new Set(columns) : undefined
}

/** True if a condition on date ranges requires counting so many single records that the counts save nothing. */
export const asksTooManyDays = (columns: ReadonlySet<CountedColumn>, edges: readonly Edge[]): boolean =>
  !areCountedByDay(columns) && periodsBetween(edges).days.length > recordDaysMax

type Grain = 'day' | 'month' | 'year'

const countsBy = (grain: Grain, dataset: EntityType): string =>
  sql`SELECT period, state, status, business_type, class, records FROM feed.shown_count
      WHERE dataset = ${literal(dataset)} AND grain = ${literal(grain)}`

/** As countedRows, with a row per day, for conditions on days and states. */
export const countedDays = (dataset: EntityType): string => countsBy('day', dataset)

/**
 * Rows of period, state, status, business_type and class, each representing `records` records. The condition is tested
 * on each row; a year or a month is represented by its first day.
 * @param edges where the condition's result changes.
 * @param bind binds a value and returns its placeholder.
 */
export function countedRows(
  dataset: EntityType,
  columns: ReadonlySet<CountedColumn>,
  edges: readonly Edge[],
  bind: (value: unknown) => string,
): string {
  const { dividedYears, months, days } = periodsBetween(edges)
  const counts = (grain: Grain) => countsBy(grain, dataset)
  if (dividedYears.length === 0) return counts('year')
  const among = (list: readonly string[]) => sql`= ANY (${bind(list)}::date[])`
  const years = sql`${counts('year')} AND (period ${among(dividedYears)}) IS NOT TRUE`
  const whole = months.length > 0 ? [years, sql`${counts('month')} AND period ${among(months)}`] : [years]
  if (days.length === 0) return whole.join(' UNION ALL ')
  const single = areCountedByDay(columns)
    ? sql`${counts('day')} AND period ${among(days)}`
    : sql`SELECT registered_on, state, status, business_type, ${dataset === 'company' ? 'class' : 'NULL'}, 1
      FROM feed.${dataset} WHERE registered_on ${among(days)}`
  return [...whole, single].join(' UNION ALL ')
}

/**
 * A statement for the `total` of open records that meet a condition over a row `r` with the register's column names.
 * @param rows from countedRows.
 */
export function sumOfCounts(dataset: EntityType, rows: string, condition: string): string {
  return sql`SELECT coalesce(sum(r.records), 0)::bigint AS total FROM ${asRecords(dataset, rows)} WHERE ${condition}`
}

/** The counts as a table `r` with the register's column names, each row of which represents `records` records. */
export function asRecords(dataset: EntityType, rows: string): string {
  const named = Object.entries<string>(columnsOf[dataset]).map(([column, counted]) => sql`${counted} AS ${column}`)
  return sql`(SELECT ${named.join(', ')}, records FROM (${rows}) AS counted) AS r`
}

/**
 * What a feed holds within its bounds, summed from the counts of the register: of bounds on days, states, statuses and business types,
 * the whole country is as cheap as a page. Other bounds are counted in the register.
 */
import { literal, sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { applied, type FeedBound } from './feed-bounds.ts'

/** True where every bound that applies is one that the counts can tell. */
export const isCounted = (lists: readonly (readonly FeedBound[])[]): boolean =>
  lists.every((list) => applied(list).every(({ counted }) => counted === true))

/**
 * One select per part, as those of partSelects, of rows `f` that each stand for `f.records`; the parts share no record.
 * @param columns of a row `f`. @param parameter binds a value and names its place. @param byDay whether the day itself is asked for.
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
    const bounds = [...applied(common), ...applied(part)]
    const conditions = bounds.map((bound) => sql` AND ${bound.sql(...(bound.values ?? []).map(parameter))}`).join('')
    const days = byDay || bounds.some(({ separates }) => separates === true)
    const source = days ? rowsOf(dataset, 'day') : longWindow(dataset, bounds, parameter)
    return sql`SELECT ${columns} FROM (${source}) AS f WHERE true${conditions}`
  })
}

/** From the finest to the coarsest, each within one of the next. */
const grains = ['day', 'month', 'year'] as const
type Grain = (typeof grains)[number]

const rowsOf = (dataset: EntityType, grain: Grain): string =>
  sql`SELECT period AS registered_on, state, status, business_type, records FROM feed.shown_count
    WHERE dataset = ${literal(dataset)} AND grain = ${literal(grain)} AND period IS NOT NULL`

/**
 * The years that lie in a window whole, the months of it before and after them, and the days before and after those. The bounds
 * are asked of each row all the same: a month that lies in them whole meets them by its first day.
 */
function longWindow(dataset: EntityType, bounds: readonly FeedBound[], parameter: (value: unknown) => string): string {
  const [from] = daysOf(bounds, 'from').toReversed()
  const [to] = daysOf(bounds, 'to')
  const since = from && parameter(from)
  const until = to && parameter(to)
  /** The first period that begins in the window, and the one that it does not hold whole any more. */
  const edges = (grain: Grain) => ({
    first: since && sql`(date_trunc(${literal(grain)}, ${since}::date - 1) + interval ${literal(`1 ${grain}`)})::date`,
    end: until && sql`date_trunc(${literal(grain)}, ${until}::date + 1)::date`,
  })
  const spans = grains.flatMap((grain, index) => {
    const { first, end } = edges(grain)
    const within = sql`${rowsOf(dataset, grain)}${after(first)}${before(end)}`
    const coarser = grains[index + 1]
    if (coarser === undefined) return [within]
    const whole = edges(coarser)
    const left = whole.first ? [`${within}${before(whole.first)}`] : []
    return whole.end ? [...left, `${within}${after(whole.end)}${after(whole.first)}`] : left
  })
  return spans.join(' UNION ALL ')
}

const after = (day: string | undefined): string => (day ? sql` AND period >= ${day}` : '')
const before = (day: string | undefined): string => (day ? sql` AND period < ${day}` : '')

const daysOf = (bounds: readonly FeedBound[], name: string): string[] =>
  bounds
    .flatMap((bound) => (bound.name === name && typeof bound.values?.[0] === 'string' ? [bound.values[0]] : []))
    .sort()

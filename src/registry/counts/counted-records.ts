/**
 * Totals of a register without a walk through it: the counts that every change of it moves, asked like its rows, under its own
 * column names. A condition on these columns alone is met by as many open records as the counts that meet it sum to.
 */
import { literal, sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'

/** Column of the register → of the counts, as in migrations/functions/feed.counted_columns.sql. */
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
} as const satisfies Record<EntityType, Readonly<Record<string, string>>>

const periodOf = (dataset: EntityType): string =>
  Object.entries<string>(columnsOf[dataset]).find(([, counted]) => counted === 'period')?.[0] ?? ''

/** True where the counts answer for a condition on these columns of the register and no others. */
export const areCounted = (dataset: EntityType, columns: Iterable<string>): boolean =>
  [...columns].every((column) => Object.hasOwn(columnsOf[dataset], column))

/**
 * A statement that tells the `total` of open records that meet a condition over a row `r`.
 * @param columns those that the condition asks. The day of registration among them makes it a sum of days, which are many more
 * rows than the years.
 */
export function sumOfCounts(dataset: EntityType, columns: Iterable<string>, condition: string): string {
  const grain = [...columns].includes(periodOf(dataset)) ? 'day' : 'year'
  const named = Object.entries<string>(columnsOf[dataset]).map(([column, counted]) => sql`${counted} AS ${column}`)
  return sql`SELECT coalesce(sum(r.records), 0)::bigint AS total
    FROM (SELECT ${named.join(', ')}, records FROM feed.shown_count
          WHERE dataset = ${literal(dataset)} AND grain = ${literal(grain)}) AS r WHERE ${condition}`
}

/** Statements that count facets: by value, several fields in one scan; by heading of codes; and by conditions. */
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { countIfAffordable } from './count-estimate.ts'
import type { FacetContext } from './facet-context.ts'
import type { Field, ScreenerType } from './fields.ts'
import type { ReadQuery } from './read.ts'

const valuesMax = 50

export interface CountedValue {
  /** The field, by its position. */
  readonly n: number
  readonly value: string | null
  readonly records: number
}

export interface CountedHeading {
  readonly value: string
  readonly records: number
  readonly words: string | null
}

export const openRecords = (type: ScreenerType, { condition }: Pick<ReadQuery, 'condition'>) => ({
  from: `${registerTables[type].table} r`,
  condition: sql`r.closed_on IS NULL AND ${condition}`,
})

interface Source {
  readonly from: string
  readonly condition: string
}

/**
 * Runs a statement over a query's records if its estimated cost is acceptable.
 * @throws AppError QUERY_TOO_EXPENSIVE
 */
export const runIfAffordable = <Row extends object>(
  { db, tx, state, timeoutMs }: FacetContext,
  read: ReadQuery,
  sql: string,
): Promise<Row[]> => countIfAffordable<Row>(db, tx, { read, sql, registerRows: state.rows, timeoutMs })

/** All fields are counted in the same scan; each row has the position of its value's field. */
export function valuesSql(
  fields: readonly Field[],
  { from, condition, records }: Source & { readonly records: string },
): string {
  const columns = fields.map(({ column }) => column)
  const places = columns.map((column, index) => sql`WHEN grouping(${column}) = 0 THEN ${index}`).join(' ')
  const values = columns.map((column) => sql`WHEN grouping(${column}) = 0 THEN ${column}`).join(' ')
  const sets = columns.map((column) => `(${column})`).join(', ')
  return sql`SELECT n, value, records FROM (
      SELECT n, value, records, row_number() OVER (PARTITION BY n ORDER BY records DESC, value) AS place FROM (
        SELECT CASE ${places} END AS n, CASE ${values} END AS value, ${records} AS records
        FROM ${from} WHERE ${condition} GROUP BY GROUPING SETS (${sets})) AS counted WHERE records > 0) AS ranked
    WHERE place <= ${valuesMax} ORDER BY n, place`
}

/** For a field with several codes: how many records have any code of a heading. A record counts once per heading. */
export function scannedHeadingsSql({ column }: Field, digits: number, { from, condition }: Source): string {
  const headings = sql`SELECT DISTINCT left(code, ${digits}) AS heading FROM unnest(${column}) AS code WHERE length(code) >= ${digits}`
  return sql`SELECT held.heading, count(*) AS records FROM ${from} CROSS JOIN LATERAL (${headings}) AS held
    WHERE ${condition} GROUP BY held.heading`
}

/** The same from rows of headings that each represent a number of records. */
export const storedHeadingsSql = ({ from, condition }: Source): string =>
  sql`SELECT r.heading, sum(r.records)::bigint AS records FROM ${from} WHERE ${condition} GROUP BY r.heading HAVING sum(r.records) > 0`

/** The most frequent headings with their descriptions. */
export function describedSql(headings: string): string {
  return sql`SELECT counted.heading AS value, counted.records, hsn.description AS words
    FROM (SELECT heading, records FROM (${headings}) AS found ORDER BY records DESC, heading LIMIT ${valuesMax}) AS counted
    LEFT JOIN reference.hsn ON hsn.code = counted.heading AND hsn.closed_on IS NULL
    ORDER BY counted.records DESC, counted.heading`
}

/** One row: the number of records that meet each of the conditions, in order. */
export function boundsSql(conditions: readonly string[], { from, condition }: Source): string {
  const counts = conditions.map((each) => sql`count(*) FILTER (WHERE ${each})::integer`)
  return sql`SELECT ARRAY[${counts.join(', ')}] AS records FROM ${from} WHERE ${condition}`
}

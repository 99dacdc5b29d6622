/**
 * A screener query in, how its records spread over a few fields out: counts by value, all from one look at the records.
 * What the query may not find is in no count. Nothing is kept: asked twice it counts twice.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { fieldNamed, type ScreenerType } from './fields.ts'
import { foresee } from './foresight.ts'
import { withNamePieces } from './name-pieces.ts'
import { noticeOf, readPermitted } from './permitted.ts'
import type { ScreenerRequest } from './run-screener.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { refuseUnheldWords, withHeldWords } from './word-pieces.ts'

/** Fields of few values, the most telling first. */
const facetFields: Readonly<Record<ScreenerType, readonly string[]>> = {
  company: ['State', 'llpStatus', 'companyType', 'classOfCompany'],
  gst: ['state', 'Status', 'TaxpayerType', 'ConstitutionBusiness'],
}
const valuesMax = 50

export interface Facet {
  readonly field: string
  /** The most frequent first; null where the register tells none. */
  readonly values: readonly { readonly value: string | null; readonly records: number }[]
}

type Asked = Pick<ScreenerRequest, 'type' | 'query' | 'sold'> & { readonly timeoutMs: number }

/** @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS, QUERY_TOO_EXPENSIVE */
export async function countFacets(
  db: Db,
  { type, query, sold = null, timeoutMs }: Asked,
): Promise<{ readonly facets: readonly Facet[]; readonly notice?: string }> {
  const compiled = readPermitted(type, query, sold)
  const notice = noticeOf(compiled.withheld, sold)
  const work = async (tx: Queryable) => {
    const state = await registerState(tx, type)
    await refuseUnheldWords(tx, type, query, compiled.wordPieces, state)
    const named = await withNamePieces(tx, type, compiled, state)
    const read = { ...compiled, values: await withHeldWords(tx, type, compiled.wordPieces, named, state) }
    const counted = countSql(type, read.condition)
    const tookMs = await foresee(db, tx, { type, read, sql: counted, registerRows: state.rows, timeoutMs })
    const started = performance.now()
    const rows = await tx.query<{ n: number; value: string | null; records: number }>(counted, read.values)
    tookMs(performance.now() - started)
    const shown = await readCountsShown(tx, type, compiled.counts, sold)
    const facets = facetFields[type].map((field, index) => ({
      field,
      values: rows
        .filter(({ n }) => n === index)
        .map(({ value, records }) => ({ value, records: shownCount(shown, records) })),
    }))
    return { facets, ...(notice === undefined ? {} : { notice }) }
  }
  return boundedRead(db, work, timeoutMs)
}

/** Every field is counted in the same look; each row says by its place which field its value is of. */
function countSql(type: ScreenerType, condition: string): string {
  const { table } = registerTables[type]
  const columns = facetFields[type].map((name) => fieldNamed(type, name)?.column ?? 'NULL::text')
  const places = columns.map((column, index) => sql`WHEN grouping(${column}) = 0 THEN ${index}`).join(' ')
  const values = columns.map((column) => sql`WHEN grouping(${column}) = 0 THEN ${column}`).join(' ')
  const sets = columns.map((column) => `(${column})`).join(', ')
  return sql`SELECT n, value, records FROM (
      SELECT n, value, records, row_number() OVER (PARTITION BY n ORDER BY records DESC, value) AS place FROM (
        SELECT CASE ${places} END AS n, CASE ${values} END AS value, count(*) AS records
        FROM ${table} r WHERE r.closed_on IS NULL AND ${condition} GROUP BY GROUPING SETS (${sets})) AS counted) AS ranked
    WHERE place <= ${valuesMax} ORDER BY n, place`
}

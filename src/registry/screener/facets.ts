/**
 * How a query's records are distributed over the values of a few fields, over headings of codes, and over conditions to
 * narrow by. A field that the query itself restricts is counted without that restriction, so that its other values show
 * what they would add.
 *
 * No count includes what the caller may not find. Each count is a sum of the stored counts, or one scan of the records
 * of a query that finds few; if neither is possible it is left out, so that no request scans a register.
 */
import { facets as declared } from '../../../config/facets.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { allOf, everything, termsIn } from './ast.ts'
import { fieldsOf } from './columns.ts'
import type { Facet, FacetContext, FacetValue } from './facet-context.ts'
import { countInScan } from './facet-scans.ts'
import type { ResolvedQuery, ScreenerType } from './fields.ts'
import { noticeOf, permitted, readPermitted } from './permitted.ts'
import { readNode } from './read.ts'
import type { ScreenerRequest } from './run-screener.ts'
import { refuseUnheldWords } from './word-pieces.ts'

type CountedQuery = Pick<ScreenerRequest, 'type' | 'query' | 'sold'> & { readonly timeoutMs: number }

/**
 * @param query empty for the whole register.
 * @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS, QUERY_TOO_EXPENSIVE
 */
export async function countFacets(
  db: Db,
  { type, query, sold = null, timeoutMs }: CountedQuery,
): Promise<{ readonly facets: readonly Facet[]; readonly notice?: string }> {
  const resolved = query === '' ? permitted(readNode(type, everything, sold), sold) : readPermitted(type, query, sold)
  const notice = noticeOf(resolved.withheld, sold)
  const work = async (tx: Queryable) => {
    const state = await registerState(tx, type)
    await refuseUnheldWords(tx, type, query, resolved.wordPieces, state)
    const context: FacetContext = { db, tx, type, sold, state, timeoutMs }
    const found = new Map<string, readonly FacetValue[]>()
    for (const { node, fields } of scansFor(type, resolved.node)) {
      const counted = await countInScan(context, { node, fields, isWhole: node === resolved.node })
      for (const { field, values } of counted) found.set(field, values)
    }
    const facets = fieldsCounted(type).flatMap((field) => {
      const values = found.get(field)
      return values ? [{ field, values }] : []
    })
    return { facets, ...(notice === undefined ? {} : { notice }) }
  }
  return boundedRead(db, work, timeoutMs)
}

const fieldsCounted = (type: ScreenerType): readonly string[] => [
  ...declared[type].values,
  ...Object.keys(declared[type].headings),
  ...Object.keys(declared[type].bounds),
]

/**
 * The query itself, for all fields that it does not restrict; and for each field that it does, the query without it.
 */
function scansFor(
  type: ScreenerType,
  node: ResolvedQuery,
): readonly { readonly node: ResolvedQuery; readonly fields: readonly string[] }[] {
  const terms = termsIn(node)
  const isOf = (term: ResolvedQuery, field: string) => {
    const [only, ...others] = fieldsOf(term)
    return only?.name === field && others.length === 0
  }
  const fields = fieldsCounted(type)
  const narrowed = fields.filter((field) => terms.some((term) => isOf(term, field)))
  return [
    { node, fields: fields.filter((field) => !narrowed.includes(field)) },
    ...narrowed.map((field) => ({ node: allOf(terms.filter((term) => !isOf(term, field))), fields: [field] })),
  ]
}

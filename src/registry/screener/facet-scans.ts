/** Counts several facets of a query: from the stored counts if these can answer, else in one scan of its records. */
import { facets as declared } from '../../../config/facets.ts'
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { boundsOf, scannedBounds, storedBounds } from './facet-bounds.ts'
import type { Facet, FacetContext } from './facet-context.ts'
import { scannedHeadings, storedHeadings } from './facet-headings.ts'
import { scannedValues, storedValues } from './facet-values.ts'
import { type Field, fieldNamed, type ResolvedQuery } from './fields.ts'
import { looksAtFew } from './plan.ts'
import { type ReadQuery, readNode } from './read.ts'
import { withRegisterWords } from './register-words.ts'
import { sumOfStoredCounts } from './total.ts'

export interface FacetScan {
  readonly node: ResolvedQuery
  readonly fields: readonly string[]
  /** The query as requested, whose total the search counted, too. */
  readonly isWhole: boolean
}

/** @throws AppError QUERY_TOO_EXPENSIVE if even the query itself is. */
export async function countInScan(
  context: FacetContext,
  { node, fields, isWhole }: FacetScan,
): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const read = await withRegisterWords(
    context.tx,
    context.type,
    readNode(context.type, node, context.sold),
    context.state,
  )
  const named = fields.flatMap((name) => fieldNamed(context.type, name) ?? [])
  const valued = named.filter(({ name }) => declared[context.type].values.includes(name))
  const headed = named.filter(({ name }) => name in declared[context.type].headings)
  const bounds = boundsOf(context, named)
  const kept = [...(await storedValues(context, read, valued)), ...(await storedHeadings(context, read, headed))]
  const isLeft = ({ name }: Field) => !kept.some(({ field }) => field === name)
  // The search itself had to read all of these records.
  const wasLookedAt = isWhole && sumOfStoredCounts(context.type, read, () => '') === undefined
  // Unnesting each record's codes is only done for few records.
  const few = (headed.some(isLeft) || !wasLookedAt) && (await isFew(context, read))
  const headings = few ? await scannedHeadings(context, read, headed.filter(isLeft)) : []
  if (!few && !wasLookedAt) return [...kept, ...(await storedBounds(context, read, bounds))]
  const values = await scannedValues(context, read, valued.filter(isLeft))
  return [...kept, ...values, ...headings, ...(await scannedBounds(context, read, bounds))]
}

function isFew({ tx, type, state }: FacetContext, { condition, values }: ReadQuery): Promise<boolean> {
  const { table } = registerTables[type]
  const looked = sql`SELECT 1 FROM ${table} r WHERE r.closed_on IS NULL AND ${condition}`
  return looksAtFew(tx, { sql: looked, values, registerRows: state.rows })
}

/** Conditions that narrow a search, each with the number of records that remain. */
import { facets as declared } from '../../../config/facets.ts'
import { allOf, termsIn } from './ast.ts'
import type { Facet, FacetContext } from './facet-context.ts'
import { boundsSql, openRecords, runIfAffordable } from './facet-statements.ts'
import type { Field, ResolvedQuery } from './fields.ts'
import { type ReadQuery, readNode, readQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { termsOf } from './terms.ts'
import { countTotal, storedCounts } from './total.ts'

/** Up to this many records, conditions on further tables are tested one by one. */
const askedOneByOneMax = 20_000

interface Bound {
  readonly field: Field
  readonly node: ResolvedQuery
}

/** Conditions that only find what a feed sells are left out for accounts that have not bought it. */
export const boundsOf = (
  { type, sold }: Pick<FacetContext, 'type' | 'sold'>,
  fields: readonly Field[],
): readonly Bound[] =>
  fields.flatMap((field) =>
    (declared[type].bounds[field.name] ?? []).flatMap((condition) => {
      const { node, withheld } = readQuery(type, `${field.name} ${condition}`, sold)
      return withheld === 'only' ? [] : [{ field, node }]
    }),
  )

/**
 * All in one scan of the records; without conditions on further tables if there are too many records to test one by
 * one.
 */
export async function scannedBounds(
  context: FacetContext,
  read: ReadQuery,
  bounds: readonly Bound[],
): Promise<readonly Facet[]> {
  const { db, tx, type, sold } = context
  const asksBeside = bounds.some(({ field }) => field.isBeside)
  const isFew = !asksBeside || (await countTotal(db, tx, { ...context, read })) <= askedOneByOneMax
  const counted = bounds.filter(({ field }) => isFew || !field.isBeside)
  if (counted.length === 0) return []
  const values = [...read.values]
  const conditions = counted.map(({ node }) => readNode(type, node, sold, values))
  const bounded: ResolvedQuery = {
    kind: 'and',
    terms: [...termsIn(read.node), { kind: 'or', terms: counted.map(({ node }) => node) }],
  }
  const statement = boundsSql(
    conditions.map(({ condition }) => condition),
    openRecords(type, read),
  )
  const [row] = await runIfAffordable<{ records: number[] }>(context, { ...read, node: bounded, values }, statement)
  const shown = await readCountsShown(tx, type, roundedIfAny([read, ...conditions]), sold)
  return facetsOf(context, counted, (index) => shownCount(shown, row?.records[index] ?? 0))
}

/**
 * Those that the stored counts can answer: conditions on days, if the counts are broken down by the query's columns.
 */
export async function storedBounds(
  context: FacetContext,
  read: ReadQuery,
  bounds: readonly Bound[],
): Promise<readonly Facet[]> {
  const { db, tx, type, sold } = context
  const narrowed = bounds.map(({ field, node }) => ({
    ...{ field, node },
    read: readNode(type, allOf([...termsIn(read.node), node]), sold),
  }))
  const kept = narrowed.filter((bound) => storedCounts(type, bound.read, [], () => '') !== undefined)
  const records: number[] = []
  for (const bound of kept) {
    const shown = await readCountsShown(tx, type, bound.read.counts, sold)
    records.push(shownCount(shown, await countTotal(db, tx, { ...context, read: bound.read })))
  }
  return facetsOf(context, kept, (index) => records[index] ?? 0)
}

const roundedIfAny = (reads: readonly ReadQuery[]) =>
  reads.some(({ counts }) => counts === 'rounded') ? ('rounded' as const) : ('exact' as const)

function facetsOf(
  { type }: FacetContext,
  bounds: readonly Bound[],
  recordsOf: (index: number) => number,
): readonly Facet[] {
  const counted = bounds.map(({ field, node }, index) => {
    const [term] = termsOf(type, node)
    return {
      field: field.name,
      value: { value: term?.values[0] ?? null, records: recordsOf(index), words: null, condition: term?.text ?? '' },
    }
  })
  return [...Map.groupBy(counted, ({ field }) => field)].map(([field, of]) => ({
    field,
    values: of.map(({ value }) => value),
  }))
}

/** Conditions that narrow a search, each with the number of records that remain. */
import { facets as declared } from '../../../config/facets.ts'
import { allOf, termsIn } from './ast.ts'
import type { Facet, FacetGround } from './facet-ground.ts'
import { boundsSql, lookedAhead, openRecords } from './facet-statements.ts'
import type { Asked, Field } from './fields.ts'
import { type ReadQuery, readNode, readQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { termsOf } from './terms.ts'
import { countTotal, keptCounts } from './total.ts'

/** Up to this many records, conditions on further tables are tested one by one. */
const askedOneByOneMax = 20_000

interface Bound {
  readonly field: Field
  readonly node: Asked
}

/** Conditions that only find what a feed sells are left out for accounts that have not bought it. */
export const boundsOf = (
  { type, sold }: Pick<FacetGround, 'type' | 'sold'>,
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
export async function boundsHeld(
  ground: FacetGround,
  read: ReadQuery,
  bounds: readonly Bound[],
): Promise<readonly Facet[]> {
  const { db, tx, type, sold } = ground
  const asksBeside = bounds.some(({ field }) => field.isBeside)
  const isFew = !asksBeside || (await countTotal(db, tx, { ...ground, read })) <= askedOneByOneMax
  const counted = bounds.filter(({ field }) => isFew || !field.isBeside)
  if (counted.length === 0) return []
  const values = [...read.values]
  const conditions = counted.map(({ node }) => readNode(type, node, sold, values))
  const asked: Asked = {
    kind: 'and',
    terms: [...termsIn(read.node), { kind: 'or', terms: counted.map(({ node }) => node) }],
  }
  const statement = boundsSql(
    conditions.map(({ condition }) => condition),
    openRecords(type, read),
  )
  const [row] = await lookedAhead<{ records: number[] }>(ground, { ...read, node: asked, values }, statement)
  const shown = await readCountsShown(tx, type, roundedIfAny([read, ...conditions]), sold)
  return facetsOf(ground, counted, (index) => shownCount(shown, row?.records[index] ?? 0))
}

/**
 * Those that the stored counts can answer: conditions on days, if the counts are broken down by the query's columns.
 */
export async function boundsKept(
  ground: FacetGround,
  read: ReadQuery,
  bounds: readonly Bound[],
): Promise<readonly Facet[]> {
  const { db, tx, type, sold } = ground
  const narrowed = bounds.map(({ field, node }) => ({
    ...{ field, node },
    read: readNode(type, allOf([...termsIn(read.node), node]), sold),
  }))
  const kept = narrowed.filter((bound) => keptCounts(type, bound.read, [], () => '') !== undefined)
  const records: number[] = []
  for (const bound of kept) {
    const shown = await readCountsShown(tx, type, bound.read.counts, sold)
    records.push(shownCount(shown, await countTotal(db, tx, { ...ground, read: bound.read })))
  }
  return facetsOf(ground, kept, (index) => records[index] ?? 0)
}

const roundedIfAny = (reads: readonly ReadQuery[]) =>
  reads.some(({ counts }) => counts === 'rounded') ? ('rounded' as const) : ('exact' as const)

function facetsOf(
  { type }: FacetGround,
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

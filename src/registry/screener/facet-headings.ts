/** Headings of codes with their numbers of records: from the stored counts, or by unnesting each record's codes. */
import { facets as declared } from '../../../config/facets.ts'
import { headingRecords } from '../counts/counted-industries.ts'
import { columnsOf } from './columns.ts'
import type { Facet, FacetGround } from './facet-ground.ts'
import {
  type CountedHeading,
  describedSql,
  heldHeadings,
  keptHeadings,
  lookedAhead,
  openRecords,
} from './facet-statements.ts'
import type { Field } from './fields.ts'
import type { ReadQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { beginsWith } from './terms.ts'

/** Those of the fields that the stored counts cover. */
export async function headingsKept(
  ground: FacetGround,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const found: Facet[] = []
  for (const field of fields) {
    const from = headingRecords(ground.type, digitsOf(ground, field), columnsOf(read.node))
    if (from === undefined || read.withheld !== 'none') continue
    const counted = describedSql(keptHeadings({ from, condition: read.condition }))
    found.push(await readFacet(ground, read, field, await ground.tx.query<CountedHeading>(counted, read.values)))
  }
  return found
}

export async function headingsHeld(
  ground: FacetGround,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const found: Facet[] = []
  for (const field of fields) {
    const counted = describedSql(heldHeadings(field, digitsOf(ground, field), openRecords(ground.type, read)))
    found.push(await readFacet(ground, read, field, await lookedAhead<CountedHeading>(ground, read, counted)))
  }
  return found
}

const digitsOf = ({ type }: FacetGround, { name }: Field): number => declared[type].headings[name] ?? 0

async function readFacet(
  { tx, type, sold }: FacetGround,
  read: ReadQuery,
  { name }: Field,
  rows: readonly CountedHeading[],
): Promise<Facet> {
  const shown = await readCountsShown(tx, type, read.counts, sold)
  const values = rows.map(({ value, records, words }) => ({
    ...{ value, words, records: shownCount(shown, records) },
    condition: beginsWith(name, value),
  }))
  return { field: name, values }
}

/** Headings of codes with their numbers of records: from the stored counts, or by unnesting each record's codes. */
import { facets as declared } from '../../../config/facets.ts'
import { headingRecords } from '../counts/counted-industries.ts'
import { columnsOf } from './columns.ts'
import type { Facet, FacetContext } from './facet-context.ts'
import {
  type CountedHeading,
  describedSql,
  openRecords,
  runIfAffordable,
  scannedHeadingsSql,
  storedHeadingsSql,
} from './facet-statements.ts'
import type { Field } from './fields.ts'
import type { ReadQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { beginsWith } from './terms.ts'

/** Those of the fields that the stored counts cover. */
export async function storedHeadings(
  context: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const found: Facet[] = []
  for (const field of fields) {
    const from = headingRecords(context.type, digitsOf(context, field), columnsOf(read.node))
    if (from === undefined || read.withheld !== 'none') continue
    const counted = describedSql(storedHeadingsSql({ from, condition: read.condition }))
    found.push(await readFacet(context, read, field, await context.tx.query<CountedHeading>(counted, read.values)))
  }
  return found
}

export async function scannedHeadings(
  context: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const found: Facet[] = []
  for (const field of fields) {
    const counted = describedSql(scannedHeadingsSql(field, digitsOf(context, field), openRecords(context.type, read)))
    found.push(await readFacet(context, read, field, await runIfAffordable<CountedHeading>(context, read, counted)))
  }
  return found
}

const digitsOf = ({ type }: FacetContext, { name }: Field): number => declared[type].headings[name] ?? 0

async function readFacet(
  { tx, type, sold }: FacetContext,
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

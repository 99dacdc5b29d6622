/** Values of fields with their numbers of records: from the stored counts, or from a scan of the records. */

import { industryRecords } from '../counts/counted-industries.ts'
import { asRecords } from '../counts/counted-records.ts'
import { columnsOf, nameOfColumn } from './columns.ts'
import type { Facet, FacetContext } from './facet-context.ts'
import { type CountedValue, openRecords, runIfAffordable, valuesSql } from './facet-statements.ts'
import type { Field, ScreenerType } from './fields.ts'
import type { ReadQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { isValue } from './terms.ts'
import { storedCounts } from './total.ts'

/** Counts broken down by the query's columns and further ones, as a table `r`; undefined if they are not. */
type Counts = (
  type: ScreenerType,
  read: ReadQuery,
  further: readonly string[],
  bind: (value: unknown) => string,
) => string | undefined

const byRecord: Counts = (type, read, further, bind) => {
  const rows = storedCounts(type, read, further, bind)
  return rows === undefined ? undefined : asRecords(type, rows)
}

const byIndustry: Counts = (type, read, further) =>
  read.withheld === 'none' ? industryRecords(type, [...columnsOf(read.node), ...further]) : undefined

/** Those of the fields that the stored counts cover. */
export async function storedValues(
  context: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const covers = (counts: Counts, field: Field) =>
    counts(context.type, read, [nameOfColumn(field)], () => '') !== undefined
  const recorded = fields.filter((field) => covers(byRecord, field))
  const others = fields.filter((field) => !recorded.includes(field) && covers(byIndustry, field))
  return [
    ...(await valuesBy(byRecord, context, read, recorded)),
    ...(await valuesBy(byIndustry, context, read, others)),
  ]
}

async function valuesBy(
  counts: Counts,
  context: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const values = [...read.values]
  const from = counts(context.type, read, fields.map(nameOfColumn), (value) => `$${values.push(value)}`)
  if (fields.length === 0 || from === undefined) return []
  const counted = valuesSql(fields, { from, condition: read.condition, records: 'sum(r.records)::bigint' })
  return readValues(context, read, fields, await context.tx.query<CountedValue>(counted, values))
}

export async function scannedValues(
  context: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const counted = valuesSql(fields, { ...openRecords(context.type, read), records: 'count(*)' })
  return readValues(context, read, fields, await runIfAffordable<CountedValue>(context, read, counted))
}

async function readValues(
  { tx, type, sold }: FacetContext,
  read: ReadQuery,
  fields: readonly Field[],
  rows: readonly CountedValue[],
): Promise<readonly Facet[]> {
  const shown = await readCountsShown(tx, type, read.counts, sold)
  return fields.map(({ name }, index) => ({
    field: name,
    values: rows
      .filter(({ n }) => n === index)
      .map(({ value, records }) => ({
        ...{ value, records: shownCount(shown, records), words: null },
        condition: isValue(name, value),
      })),
  }))
}

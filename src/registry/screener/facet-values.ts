/** Values of fields with their numbers of records: from the stored counts, or from a scan of the records. */

import { industryRecords } from '../counts/counted-industries.ts'
import { asRecords } from '../counts/counted-records.ts'
import { columnsOf, nameOfColumn } from './columns.ts'
import type { Facet, FacetGround } from './facet-ground.ts'
import { type CountedValue, lookedAhead, openRecords, valuesSql } from './facet-statements.ts'
import type { Field, ScreenerType } from './fields.ts'
import type { ReadQuery } from './read.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { isValue } from './terms.ts'
import { keptCounts } from './total.ts'

/** Counts broken down by the query's columns and further ones, as a table `r`; undefined if they are not. */
type Counts = (
  type: ScreenerType,
  read: ReadQuery,
  further: readonly string[],
  bind: (value: unknown) => string,
) => string | undefined

const byRecord: Counts = (type, read, further, bind) => {
  const rows = keptCounts(type, read, further, bind)
  return rows === undefined ? undefined : asRecords(type, rows)
}

const byIndustry: Counts = (type, read, further) =>
  read.withheld === 'none' ? industryRecords(type, [...columnsOf(read.node), ...further]) : undefined

/** Those of the fields that the stored counts cover. */
export async function valuesKept(
  ground: FacetGround,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const tells = (counts: Counts, field: Field) =>
    counts(ground.type, read, [nameOfColumn(field)], () => '') !== undefined
  const recorded = fields.filter((field) => tells(byRecord, field))
  const others = fields.filter((field) => !recorded.includes(field) && tells(byIndustry, field))
  return [...(await valuesBy(byRecord, ground, read, recorded)), ...(await valuesBy(byIndustry, ground, read, others))]
}

async function valuesBy(
  counts: Counts,
  ground: FacetGround,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  const values = [...read.values]
  const from = counts(ground.type, read, fields.map(nameOfColumn), (value) => `$${values.push(value)}`)
  if (fields.length === 0 || from === undefined) return []
  const counted = valuesSql(fields, { from, condition: read.condition, records: 'sum(r.records)::bigint' })
  return readValues(ground, read, fields, await ground.tx.query<CountedValue>(counted, values))
}

export async function valuesHeld(
  ground: FacetGround,
  read: ReadQuery,
  fields: readonly Field[],
): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const counted = valuesSql(fields, { ...openRecords(ground.type, read), records: 'count(*)' })
  return readValues(ground, read, fields, await lookedAhead<CountedValue>(ground, read, counted))
}

async function readValues(
  { tx, type, sold }: FacetGround,
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

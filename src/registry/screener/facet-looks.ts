/** One look at the records of a query for several facets: by the counts that merges keep where these answer, else at the records. */
import { facets as declared } from '../../../config/facets.ts'
import { sql } from '../../db/sql.ts'
import { asRecords } from '../counts/counted-records.ts'
import { registerTables } from '../register-table.ts'
import { nameOfColumn } from './columns.ts'
import { boundsHeld, boundsKept, boundsOf } from './facet-bounds.ts'
import type { Facet, FacetGround } from './facet-ground.ts'
import {
  type CountedHeading,
  type CountedValue,
  headingsSql,
  lookedAhead,
  openRecords,
  valuesSql,
} from './facet-statements.ts'
import { type Asked, type Field, fieldNamed } from './fields.ts'
import { looksAtFew } from './plan.ts'
import { type ReadQuery, readNode } from './read.ts'
import { withRegisterWords } from './register-words.ts'
import { readCountsShown, shownCount } from './shown-counts.ts'
import { beginsWith, isValue } from './terms.ts'
import { keptCounts } from './total.ts'

export interface Look {
  readonly node: Asked
  readonly fields: readonly string[]
  /** The query as it was asked, which the search counted, too. */
  readonly isWhole: boolean
}

/** @throws AppError QUERY_TOO_EXPENSIVE where even the query as it was asked is. */
export async function lookAt(ground: FacetGround, { node, fields, isWhole }: Look): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const read = await withRegisterWords(ground.tx, ground.type, readNode(ground.type, node, ground.sold), ground.state)
  const named = fields.flatMap((name) => fieldNamed(ground.type, name) ?? [])
  const valued = named.filter(({ name }) => declared[ground.type].values.includes(name))
  const isKept = (...further: readonly Field[]) =>
    keptCounts(ground.type, read, further.map(nameOfColumn), () => '') !== undefined
  const kept = valued.filter((field) => isKept(field))
  const facets = await valuesKept(ground, read, kept)
  const bounds = boundsOf(ground, named)
  const headed = named.filter(({ name }) => name in declared[ground.type].headings)
  // The search itself had to look at all of these.
  const wasLookedAt = isWhole && !isKept()
  const few = (headed.length > 0 || !wasLookedAt) && (await isFew(ground, read))
  const headings = few ? await headingsHeld(ground, read, headed) : []
  if (few || wasLookedAt) {
    const others = valued.filter((field) => !kept.includes(field))
    const held = await valuesHeld(ground, read, others)
    return [...facets, ...held, ...headings, ...(await boundsHeld(ground, read, bounds))]
  }
  return [...facets, ...(await boundsKept(ground, read, bounds))]
}

function isFew({ tx, type, state }: FacetGround, { condition, values }: ReadQuery): Promise<boolean> {
  const { table } = registerTables[type]
  const looked = sql`SELECT 1 FROM ${table} r WHERE r.closed_on IS NULL AND ${condition}`
  return looksAtFew(tx, { sql: looked, values, registerRows: state.rows })
}

async function valuesKept(ground: FacetGround, read: ReadQuery, fields: readonly Field[]): Promise<readonly Facet[]> {
  const { tx, type } = ground
  const values = [...read.values]
  const rows = keptCounts(type, read, fields.map(nameOfColumn), (value) => `$${values.push(value)}`)
  if (fields.length === 0 || rows === undefined) return []
  const counted = valuesSql(fields, {
    from: asRecords(type, rows),
    condition: read.condition,
    records: 'sum(r.records)::bigint',
  })
  return readValues(ground, read, fields, await tx.query<CountedValue>(counted, values))
}

async function valuesHeld(ground: FacetGround, read: ReadQuery, fields: readonly Field[]): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const counted = valuesSql(fields, { ...openRecords(ground.type, read), records: 'count(*)' })
  return readValues(ground, read, fields, await lookedAhead<CountedValue>(ground, read, counted))
}

/** Each record is taken apart by its codes, so it is done of few alone: no count that merges keep tells codes apart. */
async function headingsHeld(ground: FacetGround, read: ReadQuery, fields: readonly Field[]): Promise<readonly Facet[]> {
  const { tx, type, sold } = ground
  const found: Facet[] = []
  for (const field of fields) {
    const digits = declared[type].headings[field.name]
    if (digits === undefined) continue
    const counted = headingsSql(field, digits, openRecords(type, read))
    const rows = await lookedAhead<CountedHeading>(ground, read, counted)
    const shown = await readCountsShown(tx, type, read.counts, sold)
    const values = rows.map(({ value, records, words }) => ({
      ...{ value, words, records: shownCount(shown, records) },
      condition: beginsWith(field.name, value),
    }))
    found.push({ field: field.name, values })
  }
  return found
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

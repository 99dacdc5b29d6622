/**
 * Determines the order of day and month in a file's dates. A declared order is used if there is one; otherwise
 * unambiguous dates (25/03/2020) decide for their column, and a column without any follows the rest of the file. A few
 * dates against nearly all others are errors, not evidence. If there is no evidence, or evidence for both orders,
 * ambiguous dates are not read.
 */

import type { DateOrder, HeaderGeneration, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import type { TalliedDates } from '../stage/date-tally.ts'

export interface DateOrderDecision {
  /** Null if the file indicates no order, or both. */
  readonly order: DateOrder | null
  readonly by: 'declared' | 'column' | 'file' | 'nothing' | 'both'
  /** Dates of the column that can only be read with the day first, only with the month first, or either way. */
  readonly day_first: number
  readonly month_first: number
  readonly ambiguous: number
}

/** Field → decision; fields whose dates all begin with the year are missing. */
export type DateOrders = ReadonlyMap<string, DateOrderDecision>

interface Evidence {
  readonly field: string
  readonly day_first: number
  readonly month_first: number
  readonly ambiguous: number
}

type Match = { readonly generation: HeaderGeneration; readonly positions: ReadonlyMap<string, number> }

/** Where the cells of date columns are: in the staged table, or counted while the file was read. */
export type DateCells = { readonly table: string } | { readonly dates: TalliedDates }

/** The file's date columns without a declared order: field → position. */
export function undeclaredDates(source: Source, { generation, positions }: Match): ReadonlyMap<string, number> {
  if (generation.dateOrder !== undefined) return new Map()
  return dateColumns(source, positions)
}

function dateColumns(source: Source, positions: ReadonlyMap<string, number>): Map<string, number> {
  const fields = Object.values(source.columns).flatMap((rule) => (rule.kind === 'date' ? [rule.from] : []))
  return new Map(
    [...new Set(fields)].flatMap((field) => {
      const position = positions.get(field)
      return position === undefined ? [] : [[field, position] as const]
    }),
  )
}

export async function decideDateOrders(tx: Tx, source: Source, match: Match, cells: DateCells): Promise<DateOrders> {
  const declared = match.generation.dateOrder
  if (declared !== undefined) {
    const none = { day_first: 0, month_first: 0, ambiguous: 0 }
    const fields = [...dateColumns(source, match.positions).keys()]
    return new Map(fields.map((field) => [field, { order: declared, by: 'declared', ...none }]))
  }
  const columns = undeclaredDates(source, match)
  if (columns.size === 0) return new Map()
  const [counted, parameters] =
    'table' in cells
      ? ([countedIn(cells.table, columns), []] as const)
      : ([
          sql`SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS tallied (field, cell, cells)`,
          [cells.dates.fields, cells.dates.cells, cells.dates.counts],
        ] as const)
  const evidence = await tx.query<Evidence>(
    sql`SELECT field, coalesce(sum(cells) FILTER (WHERE shown = 'dmy'), 0)::bigint AS day_first,
            coalesce(sum(cells) FILTER (WHERE shown = 'mdy'), 0)::bigint AS month_first,
            coalesce(sum(cells) FILTER (WHERE shown = 'either'), 0)::bigint AS ambiguous
     FROM (SELECT field, ingest.date_order(cell) AS shown, cells FROM (${counted}) each) shown
     WHERE shown IS NOT NULL GROUP BY field`,
    parameters,
  )
  return new Map(evidence.map((own) => [own.field, decide(own, evidence)]))
}

/**
 * Most files write the year first: those rows are skipped by the cheapest possible test. Dates repeat, so of the others
 * each distinct cell is read once.
 */
function countedIn(table: string, columns: ReadonlyMap<string, number>): string {
  const cells = [...columns].map(([field, position]) => [field, `s.c${position}`] as const)
  const isNotIso = (cell: string) => sql`${cell} NOT LIKE '____-__-__%'`
  return sql`SELECT field, cell, count(*) AS cells
             FROM ${table} s CROSS JOIN LATERAL (VALUES ${cells.map(([field, cell]) => sql`(${literal(field)}, ${cell})`).join(', ')}) AS dates(field, cell)
             WHERE (${cells.map(([, cell]) => isNotIso(cell)).join(' OR ')}) AND ${isNotIso('cell')} GROUP BY field, cell OFFSET '0'`
}

function decide(own: Evidence, all: readonly Evidence[]): DateOrderDecision {
  const { day_first, month_first, ambiguous } = own
  const counts = { day_first, month_first, ambiguous }
  const ofColumn = provenBy([own])
  if (ofColumn === 'both') return { order: null, by: 'both', ...counts }
  if (ofColumn !== 'nothing') return { order: ofColumn, by: 'column', ...counts }
  const ofFile = provenBy(all)
  if (ofFile === 'both' || ofFile === 'nothing') return { order: null, by: ofFile, ...counts }
  return { order: ofFile, by: 'file', ...counts }
}

/** Share of the unambiguous dates that establishes their order; the others are rejected. */
const provenFrom = 0.99

function provenBy(evidence: readonly Evidence[]): DateOrder | 'both' | 'nothing' {
  const dayFirst = evidence.reduce((sum, each) => sum + each.day_first, 0)
  const monthFirst = evidence.reduce((sum, each) => sum + each.month_first, 0)
  const proof = dayFirst + monthFirst
  if (proof === 0) return 'nothing'
  if (dayFirst >= provenFrom * proof) return 'dmy'
  return monthFirst >= provenFrom * proof ? 'mdy' : 'both'
}

/**
 * Decides which of day and month stands first in the dates of a file. A declared order decides; else the dates that
 * have one reading only (25/03/2020) decide for the others of their column, and a column without any follows the rest
 * of the file. A stray date against nearly all others is a mistake, and no proof. Where nothing or both orders are proved,
 * dates with two readings stay unread.
 */

import type { DateOrder, HeaderGeneration, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'

export interface DateOrderDecision {
  /** Null where the file proves no order, or both. */
  readonly order: DateOrder | null
  readonly by: 'declared' | 'column' | 'file' | 'nothing' | 'both'
  /** Dates of the column that can only be read with the day first, with the month first, or with either. */
  readonly day_first: number
  readonly month_first: number
  readonly ambiguous: number
}

/** Field → decision; a field whose dates all begin with the year is absent. */
export type DateOrders = ReadonlyMap<string, DateOrderDecision>

interface Evidence {
  readonly field: string
  readonly day_first: number
  readonly month_first: number
  readonly ambiguous: number
}

export interface StagedDates {
  readonly table: string
  readonly match: { readonly generation: HeaderGeneration; readonly positions: ReadonlyMap<string, number> }
}

/** Reads the staged date columns once, and only those whose order is not declared. */
export async function decideDateOrders(tx: Tx, source: Source, staged: StagedDates): Promise<DateOrders> {
  const fields = new Set(
    Object.values(source.columns).flatMap((rule) =>
      rule.kind === 'date' && staged.match.positions.has(rule.from) ? [rule.from] : [],
    ),
  )
  const declared = staged.match.generation.dateOrder
  if (declared !== undefined) {
    const none = { day_first: 0, month_first: 0, ambiguous: 0 }
    return new Map([...fields].map((field) => [field, { order: declared, by: 'declared', ...none }]))
  }
  if (fields.size === 0) return new Map()
  const cells = [...fields].map((field) => [field, `s.c${staged.match.positions.get(field)}`] as const)
  const isNotIso = (cell: string) => sql`${cell} NOT LIKE '____-__-__%'`
  // Most files write the year first: their rows are passed over by the cheapest test that tells. Days repeat, so of the
  // others each distinct cell is read once.
  const evidence = await tx.query<Evidence>(
    sql`SELECT field, coalesce(sum(cells) FILTER (WHERE shown = 'dmy'), 0)::bigint AS day_first,
            coalesce(sum(cells) FILTER (WHERE shown = 'mdy'), 0)::bigint AS month_first,
            coalesce(sum(cells) FILTER (WHERE shown = 'either'), 0)::bigint AS ambiguous
     FROM (SELECT field, ingest.date_order(cell) AS shown, cells
           FROM (SELECT field, cell, count(*) AS cells
                 FROM ${staged.table} s CROSS JOIN LATERAL (VALUES ${cells.map(([field, cell]) => sql`(${literal(field)}, ${cell})`).join(', ')}) AS dates(field, cell)
                 WHERE (${cells.map(([, cell]) => isNotIso(cell)).join(' OR ')}) AND ${isNotIso('cell')} GROUP BY field, cell OFFSET '0') each) shown
     WHERE shown IS NOT NULL GROUP BY field`,
  )
  return new Map(evidence.map((own) => [own.field, decide(own, evidence)]))
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

/** Share of the dates with one reading from which on their order holds; those against it are rejected. */
const provenFrom = 0.99

function provenBy(evidence: readonly Evidence[]): DateOrder | 'both' | 'nothing' {
  const dayFirst = evidence.reduce((sum, each) => sum + each.day_first, 0)
  const monthFirst = evidence.reduce((sum, each) => sum + each.month_first, 0)
  const proof = dayFirst + monthFirst
  if (proof === 0) return 'nothing'
  if (dayFirst >= provenFrom * proof) return 'dmy'
  return monthFirst >= provenFrom * proof ? 'mdy' : 'both'
}

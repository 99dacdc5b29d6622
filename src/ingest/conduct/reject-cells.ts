/**
 * The values of rejects by the columns of their file's header. A date whose order was determined by the file, such as
 * 05/03/2020 next to 25/03/2020, is written with the year first: fixed and ingested separately, it would be read by
 * other dates, or not at all.
 */
import type { Queryable } from '../../db/db.ts'
import { parseRecord } from '../csv.ts'
import { findMatch } from '../header-match.ts'
import type { RejectRecord, RunRecord } from '../run/runs.ts'
import { sourceOfRun } from '../run/source-of-run.ts'
import type { RunReport } from './run-report.ts'

/** The raw text of these is not a record with the header's columns. */
const withoutCells: ReadonlySet<string> = new Set(['json_unreadable', 'record_too_long'])

/** Undefined if the raw text is not such a record. */
export interface WithCells {
  readonly cells: readonly string[] | undefined
}
type Rejected = Pick<RejectRecord, 'code' | 'raw'>
type Of = Pick<RunRecord, 'source' | 'header' | 'column_map' | 'report'>

/** @returns a reader for this run's rejects, a page or a batch at a time. */
export async function cellReader(db: Queryable, run: Of) {
  const columns = run.header?.length ?? 0
  const orders = await decidedOrders(db, run)
  return async <Row extends Rejected>(rejects: readonly Row[]): Promise<(Row & WithCells)[]> => {
    const read = rejects.map((row) => ({ ...row, cells: cellsOf(row, columns) }))
    if (orders.size === 0) return read
    const dates = read.flatMap(({ cells }) =>
      [...orders].flatMap(([index, order]) => (cells?.[index] ? [{ cell: cells[index], order }] : [])),
    )
    const days = await readDays(db, dates)
    return read.map((row) => ({
      ...row,
      cells: row.cells?.map((cell, index) => days.get(keyOf({ cell, order: orders.get(index) })) ?? cell),
    }))
  }
}

function cellsOf({ code, raw }: Rejected, columns: number): string[] | undefined {
  const record = withoutCells.has(code) ? undefined : parseRecord(raw)
  return Array.isArray(record) ? Array.from({ length: columns }, (_, index) => record[index] ?? '') : undefined
}

/** Position of a column from 0 → the order that the file's dates established. */
async function decidedOrders(db: Queryable, run: Of): Promise<ReadonlyMap<number, string>> {
  const proved = Object.entries((run.report as Partial<RunReport>).date_orders ?? {}).flatMap(
    ([field, { order, by }]) => (order !== null && by !== 'declared' ? [{ field, order }] : []),
  )
  if (proved.length === 0) return new Map()
  const positions = findMatch(await sourceOfRun(db, run), run.header ?? [])?.positions
  return new Map(
    proved.flatMap(({ field, order }) => {
      const position = positions?.get(field)
      return position === undefined ? [] : [[position - 1, order] as const]
    }),
  )
}

/** The day of ambiguous dates, according to the order. */
async function readDays(
  db: Queryable,
  dates: readonly { cell: string; order: string }[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ cell: string; order: string; day: string }>(
    `SELECT DISTINCT cell, "order", ingest.read_date(cell, "order")::text AS day
     FROM unnest($1::text[], $2::text[]) AS dates(cell, "order") WHERE ingest.date_order(cell) = 'either'`,
    [dates.map(({ cell }) => cell), dates.map(({ order }) => order)],
  )
  return new Map(rows.map((row) => [keyOf(row), row.day]))
}

const keyOf = ({ cell, order = '' }: { readonly cell: string; readonly order: string | undefined }) =>
  `${order} ${cell}`

/**
 * The rejects of a run, for browsing and for download: a page by its number, or all of them as lines of CSV, read a few
 * thousand at a time. Rejects of a run never change, so its pages are consistent.
 */

import type { Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import { type RejectCode, rejectCodes } from '../run/reject-codes.ts'
import { getRun, type RejectRecord } from '../run/runs.ts'
import { cellReader } from './reject-cells.ts'
import { rejectsCsv, rejectsCsvHead } from './rejects-csv.ts'

/** Characters of a reject's raw text on a page; the full text may have a mebibyte. */
const rawMax = 4_000
const batchSize = 2_000

export interface ShownReject extends Omit<RejectRecord, 'code'> {
  readonly code: RejectCode
  /** By the header's columns; null if they cannot be split, or if the raw text is longer than shown. */
  readonly cells: readonly string[] | null
  readonly raw_characters: number
}

export interface RejectPage {
  readonly rejects: readonly ShownReject[]
  /** Over all pages. */
  readonly total: number
  readonly header: readonly string[]
  /** The run's count; if there are very many, only the first are stored. */
  readonly rejected: number
}

interface RejectChoice {
  readonly runId: number
  readonly code?: RejectCode | undefined
}

const chosen = 'FROM ingest.reject WHERE run_id = $1 AND ($2::text IS NULL OR code = $2)'
export const rejectCodeNames = Object.keys(rejectCodes) as [RejectCode, ...RejectCode[]]

export const rejectSorts = listSorts('line', { by: { line: 'line', code: 'code' }, tie: 'line' })

interface AskedPage extends RejectChoice {
  /** From 1. */
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'line' | 'code'> | undefined
}

/**
 * In the order of the file by default.
 * @throws AppError NOT_FOUND
 */
export async function readRejectPage(
  db: Queryable,
  { runId, code, page, limit, sort }: AskedPage,
): Promise<RejectPage> {
  const run = await getRun(db, runId)
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${chosen}`, [runId, code ?? null])
  const order = rejectSorts.orderBy(sort)
  // The raw text of rows not shown is not decompressed.
  const rows = await db.query<RejectRecord & { code: RejectCode; raw_characters: number }>(
    sql`SELECT line, code, message, left(raw, $5) AS raw, length(raw) AS raw_characters
     FROM (SELECT line ${chosen} ORDER BY ${order} LIMIT $3 OFFSET $4) shown JOIN ingest.reject USING (line)
     WHERE run_id = $1 ORDER BY ${order}`,
    [runId, code ?? null, limit, (page - 1) * limit, rawMax],
  )
  const withCells = await cellReader(db, run)
  const rejects = (await withCells(rows)).map((row) => ({
    ...row,
    cells: row.raw_characters > rawMax ? null : (row.cells ?? null),
  }))
  return { rejects, total: counted?.total ?? 0, header: run.header ?? [], rejected: run.rejected }
}

/**
 * The text of `panji rejects --csv`, in parts.
 * @throws AppError NOT_FOUND before the first part is read.
 */
export async function rejectCsvParts(db: Queryable, { runId, code }: RejectChoice): Promise<AsyncGenerator<string>> {
  const run = await getRun(db, runId)
  const withCells = await cellReader(db, run)
  async function* parts(): AsyncGenerator<string> {
    yield rejectsCsvHead(run)
    let after = 0
    while (true) {
      const batch = await db.query<RejectRecord>(
        sql`SELECT line, code, message, raw ${chosen} AND line > $3 ORDER BY line LIMIT $4`,
        [runId, code ?? null, after, batchSize],
      )
      const last = batch.at(-1)
      if (!last) return
      yield rejectsCsv(run, await withCells(batch), { head: false })
      after = last.line
    }
  }
  return parts()
}

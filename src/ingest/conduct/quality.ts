/**
 * The quality of a source's files, run by run: rejects, repairs, unknown words, empty cells, resolved districts, header
 * drift.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sourceNamed } from '../run/request-run.ts'
import type { RunRecord } from '../run/runs.ts'
import type { RunReport } from './run-report.ts'

/** What a run's row records. */
type RunFacts = Pick<
  RunRecord,
  | 'run_id'
  | 'source'
  | 'status'
  | 'as_of'
  | 'finished_at'
  | 'rows_read'
  | 'inserted'
  | 'updated'
  | 'unchanged'
  | 'skipped'
  | 'closed'
  | 'rejected'
>

export interface RunQuality extends RunFacts {
  /** Reject code → rows. */
  readonly rejects: Readonly<Record<string, number>>
  /** Records that were checked; the following refer to these only, since the others are unchanged. */
  readonly checked: number
  readonly repaired: Readonly<Record<string, number>>
  /** Column → rows with a word outside its vocabulary. */
  readonly unknown_words: Readonly<Record<string, number>>
  /** Column → share of the checked records without a value, 0 to 1; for the columns that the header covers. */
  readonly empty_shares: Readonly<Record<string, number>>
  /** Share of the checked records with a known district; null if the source has none. */
  readonly districts_resolved: number | null
  readonly header_drift: RunReport['header_drift']
}

type StoredRun = RunFacts & { readonly report: Partial<RunReport> }

/** Newest run first. Includes runs that need approval, for their quality may be the reason. */
export async function readQuality(db: Queryable, source: string, limit = 50): Promise<RunQuality[]> {
  const runs = await db.query<StoredRun>(
    sql`SELECT run_id, source, status, as_of, finished_at, rows_read, inserted, updated, unchanged, skipped, closed, rejected, report
     FROM ingest.run r
     WHERE source = $1 AND status IN ('succeeded', 'needs_approval', 'discarded') AND undo IS NULL
     ORDER BY r.turn DESC LIMIT $2`,
    [sourceNamed(source).name, limit],
  )
  return runs.map(({ report, ...run }) => ({ ...run, ...qualityOf(report) }))
}

function qualityOf(report: Partial<RunReport>) {
  const {
    checked = 0,
    usable = 0,
    rejects = {},
    repaired = {},
    unknown_words = {},
    empty_cells = {},
    header_drift = null,
  } = report
  const share = (rows: number) => (usable > 0 ? Math.round((rows / usable) * 10_000) / 10_000 : 0)
  const districts = empty_cells['district']
  return {
    rejects,
    checked,
    repaired,
    unknown_words: Object.fromEntries(
      Object.entries(unknown_words).map(([column, words]) => [
        column,
        Object.values(words).reduce((sum, rows) => sum + rows, 0),
      ]),
    ),
    empty_shares: Object.fromEntries(Object.entries(empty_cells).map(([column, rows]) => [column, share(rows)])),
    districts_resolved:
      districts === undefined || usable === 0 ? null : Math.round((1 - districts / usable) * 10_000) / 10_000,
    header_drift,
  }
}

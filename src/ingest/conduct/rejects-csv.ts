/**
 * The rejects of a run as CSV that can be mended and ingested again: the columns of the snapshot with the values as they
 * came, then line, code, message and raw text, which a later ingest passes over. Rows whose columns cannot be told
 * apart keep them empty; their raw text says what stood there. What would run as a formula is disarmed, and armed again
 * when the export is ingested; control characters are left out.
 */
import { stringify } from 'csv-stringify/sync'
import { guarded, withoutControls } from '../../domain/formula-guard.ts'
import { parseRecord } from '../csv.ts'
import { ownColumns } from '../rejects-columns.ts'
import type { RejectRecord, RunRecord } from '../run/runs.ts'

/** The raw text of these is no record in the columns of the header. */
const withoutCells: ReadonlySet<string> = new Set(['json_unreadable', 'record_too_long'])

export function rejectsCsv(run: Pick<RunRecord, 'header'>, rejects: readonly RejectRecord[]): string {
  const header = run.header ?? []
  const rows = rejects.map((reject) => [...cellsOf(reject, header.length), ...ownColumns.map((name) => reject[name])])
  const cells = [[...header, ...ownColumns], ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'string' ? guarded(withoutControls(cell)) : cell)),
  )
  // Quoted, since a spreadsheet of another country would begin new cells there.
  return stringify(cells, { quoted_match: /[;\t|]/ })
}

function cellsOf({ code, raw }: RejectRecord, columns: number): string[] {
  const record = withoutCells.has(code) ? [] : parseRecord(raw)
  const cells = Array.isArray(record) ? record : []
  return Array.from({ length: columns }, (_, index) => cells[index] ?? '')
}

/**
 * The rejects of a run as CSV that can be fixed and ingested again: the columns of the snapshot with the values as they
 * came, then line, code, message and raw text, which a later ingest passes over. Rows whose columns cannot be told
 * apart keep them empty; their raw text says what stood there. What would run as a formula is disarmed, and armed again
 * when the export is ingested; control characters are left out.
 */
import { stringify } from 'csv-stringify/sync'
import { guarded, withoutControls } from '../../domain/formula-guard.ts'
import { ownColumns } from '../rejects-columns.ts'
import type { RejectRecord, RunRecord } from '../run/runs.ts'
import type { WithCells } from './reject-cells.ts'

type Header = Pick<RunRecord, 'header'>

/** @param part without its `head` it follows another part. */
export function rejectsCsv(
  run: Header,
  rejects: readonly (RejectRecord & WithCells)[],
  { head } = { head: true },
): string {
  const columns = run.header?.length ?? 0
  const rows = rejects.map((reject) => [
    ...(reject.cells ?? Array.from({ length: columns }, () => '')),
    ...ownColumns.map((name) => reject[name]),
  ])
  return (head ? rejectsCsvHead(run) : '') + lines(rows)
}

export const rejectsCsvHead = (run: Header): string => lines([[...(run.header ?? []), ...ownColumns]])

function lines(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? guarded(withoutControls(cell)) : cell)))
  // Quoted, since a spreadsheet of another country would begin new cells there.
  return stringify(cells, { quoted_match: /[;\t|]/ })
}

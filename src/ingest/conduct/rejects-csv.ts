/**
 * The rejects of a run as CSV that can be fixed and ingested again: the snapshot's columns with their original values,
 * then line, code, message and raw text, which a later ingest ignores. Rows that cannot be split into columns leave
 * them empty; their raw text has the content. Values that a spreadsheet would run as a formula are escaped, and
 * unescaped when the export is ingested; control characters are removed.
 */
import { stringify } from 'csv-stringify/sync'
import { guarded, withoutControls } from '../../domain/formula-guard.ts'
import { ownColumns } from '../rejects-columns.ts'
import type { RejectRecord, RunRecord } from '../run/runs.ts'
import type { WithCells } from './reject-cells.ts'

type Header = Pick<RunRecord, 'header'>

/** @param part without its `head` if it follows another part. */
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
  // Quoted, since a spreadsheet with another locale would split cells there.
  return stringify(cells, { quoted_match: /[;\t|]/ })
}

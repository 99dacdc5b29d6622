/** Why a successful run changed nothing: its rows are already known, older than the register's, or rejected. */
import type { RunRecord } from '../run/runs.ts'

type Figures = Pick<RunRecord, 'rows_read' | 'inserted' | 'updated' | 'unchanged' | 'closed' | 'skipped' | 'rejected'>

/** @returns undefined for a run that changed something. */
export function whyNothingChanged(run: Pick<RunRecord, 'source' | 'as_of'>, figures: Figures): string | undefined {
  const { rows_read, inserted, updated, unchanged, closed, skipped, rejected } = figures
  if (rows_read === 0 || inserted + updated + closed > 0) return undefined
  const rows = (of: number, one: string, many: string) =>
    of === rows_read && of > 1 ? `all ${of} rows ${many}` : of === 1 ? `1 row ${one}` : `${of} rows ${many}`
  const parts = [
    ...(unchanged > 0
      ? [rows(unchanged, 'says what the register holds already', 'say what the register holds already')]
      : []),
    ...(skipped > 0
      ? [
          `${rows(skipped, 'was skipped', 'were skipped')}, because the register of ${run.source} was seen as of a later day than ${run.as_of}`,
        ]
      : []),
    ...(rejected > 0 ? [rows(rejected, 'was rejected', 'were rejected')] : []),
  ]
  return `Nothing changed: ${parts.join(', and ')}.`
}

/** Whether every readable row is older than the register's. */
export const skippedEverything = ({ rows_read, inserted, updated, closed, skipped, rejected }: Figures): boolean =>
  skipped > 0 && skipped >= rows_read - rejected && inserted + updated + closed === 0

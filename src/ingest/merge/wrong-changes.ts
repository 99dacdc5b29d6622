/** Counts a file's changes, and gives the reasons why a complete file that changes too much needs approval. */
import type { RunMode, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { type ColumnChange, changeReason, tooManyChanges } from './change-guards.ts'
import { type ChangedRecords, readChanges, readExamples } from './changes.ts'

export async function countChanges(
  tx: Tx,
  source: Source,
  { mode, rowsRead, rejected }: { readonly mode: RunMode; readonly rowsRead: number; readonly rejected: number },
  { inserted, updated }: { readonly inserted: number; readonly updated: number },
  changed: ChangedRecords,
): Promise<ColumnChange[]> {
  return readChanges(tx, source, changed, { mode, known: rowsRead - rejected - inserted, updated })
}

export async function wrongChanges(
  tx: Tx,
  source: Source,
  mode: RunMode,
  changed: ChangedRecords,
  changes: readonly ColumnChange[],
): Promise<string[]> {
  const reasons: string[] = []
  for (const change of tooManyChanges(source, mode, changes)) {
    reasons.push(changeReason(source.bounds, mode, change, await readExamples(tx, source, changed, change)))
  }
  return reasons
}

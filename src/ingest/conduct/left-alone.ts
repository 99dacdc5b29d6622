/** A run that took nothing in, because everything in its file is older than what the register holds: in words. */
import type { RunRecord } from '../run/runs.ts'

type Figures = Pick<RunRecord, 'rows_read' | 'inserted' | 'updated' | 'closed' | 'left_alone' | 'rejected'>

export function leftEverything(run: Pick<RunRecord, 'source' | 'as_of'>, figures: Figures): string | undefined {
  const { rows_read, rejected, left_alone, inserted, updated, closed } = figures
  if (left_alone === 0 || left_alone < rows_read - rejected || inserted + updated + closed > 0) return undefined
  return (
    `Nothing was taken in: the register of ${run.source} was seen as of a later day than ${run.as_of}, so all ` +
    `${left_alone} rows of this older snapshot were left alone.`
  )
}

/** What a run that needs approval, or a dry run, would have written, as its merge reported it. */
import type { Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Preview } from '../merge/preview.ts'
import { getRun } from '../run/runs.ts'

/** @throws AppError NOT_FOUND for any other run. */
export async function readPreview(db: Queryable, runId: number): Promise<Preview> {
  const [run] = await db.query<{ preview: Preview | null }>(
    `SELECT CASE WHEN status IN ('needs_approval', 'previewed') THEN preview - 'outdated_by' END AS preview FROM ingest.run WHERE run_id = $1`,
    [runId],
  )
  if (run?.preview) return run.preview
  const { status } = await getRun(db, runId)
  throw new AppError(
    'NOT_FOUND',
    `Import ${runId} is ${status}; only one that needs approval and a dry run have a preview.`,
  )
}

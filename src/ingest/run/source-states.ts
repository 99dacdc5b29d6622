/** The newest run of each source and the day that its register describes; and the runs that are not at rest. */
import type { Queryable } from '../../db/db.ts'
import { removedSampleRequester } from './scopes.ts'
import { openStatuses, type RunStatus } from './transitions.ts'

export interface SourceState {
  readonly source: string
  readonly run_id: number
  readonly status: RunStatus
  /** The newest day of the effective data; null if there is none. */
  readonly as_of: string | null
}

/** Ordered by newest run, oldest first. */
export async function readSourceStates(db: Queryable): Promise<SourceState[]> {
  const newest = await db.query<Omit<SourceState, 'as_of'>>(
    `SELECT run.source, run.run_id, run.status
     FROM (SELECT source, max(run_id) AS run_id FROM ingest.run GROUP BY source) AS newest JOIN ingest.run AS run USING (run_id)
     ORDER BY run.run_id`,
  )
  const days = new Map((await readDataDays(db)).map(({ source, day }) => [source, day]))
  return newest.map((each) => ({ ...each, as_of: days.get(each.source) ?? null }))
}

/** Newest first. */
export function readRunsNotAtRest(db: Queryable): Promise<{ run_id: number; status: RunStatus }[]> {
  return db.query(
    `SELECT run_id, status FROM ingest.run WHERE status = ANY ($1) OR status = 'needs_approval' ORDER BY run_id DESC`,
    [openStatuses],
  )
}

/** The newest day that each source's data describes, and how long ago it last changed. */
export function readDataDays(
  db: Queryable,
): Promise<{ source: string; day: string; age: number; changed: number | null }[]> {
  return db.query(
    // A lowered day is stored with the partitions only. A file that was skipped as a whole left the register unchanged.
    `SELECT source, day, extract(epoch FROM now() - runtime.indian_midnight(day))::float8 AS age, changed FROM (
       SELECT source, max(CASE WHEN mode = 'snapshot' THEN least(as_of, seen_on) ELSE as_of END) AS day,
              extract(epoch FROM now() - max(finished_at) FILTER (WHERE inserted + updated + closed > 0))::float8 AS changed
       FROM ingest.run
         LEFT JOIN (SELECT source, max(as_of) AS seen_on FROM ingest.scope GROUP BY source) AS parts USING (source)
       WHERE status = 'succeeded' AND undone_by IS NULL AND undo IS NULL AND requested_by IS DISTINCT FROM $1
         AND NOT (skipped > 0 AND inserted + updated + unchanged + closed = 0)
       GROUP BY source) AS standing`,
    [removedSampleRequester],
  )
}

/** Deletes the rejected rows of runs that ended long ago; their counts stay with the run. Idempotent. */
import type { Period } from '../../../config/retention.ts'
import type { Queryable } from '../../db/db.ts'

/** @returns rows deleted. */
export async function sweepRejects(db: Queryable, period: Period): Promise<number> {
  return db.execute(
    `DELETE FROM ingest.reject WHERE run_id IN (SELECT run_id FROM ingest.run WHERE finished_at < now() - $1::interval)`,
    [period],
  )
}

/** An open run needs a job. A run whose job is gone would stay open forever, so it is ended as failed. */
import type { Db } from '../../db/db.ts'
import { queues } from '../../queue/queues.ts'
import { openStatuses } from '../run/transitions.ts'
import { sweepStagingTables } from './staging-tables.ts'

/**
 * Idempotent.
 * @returns the runs that were ended.
 */
export async function endLostRuns(db: Db): Promise<number[]> {
  // Invariant: a run and its job, or its job's successor, are written in one transaction, so that one statement sees
  // either both or neither. The attempt number increases: a worker that was considered dead and returns writes nothing.
  const lost = await db.query<{ run_id: number }>(
    `UPDATE ingest.run
     SET status = 'failed', attempt = attempt + 1, finished_at = now(), error = coalesce(error, $1::jsonb)
     WHERE status = ANY ($3::text[])
       AND NOT EXISTS (SELECT FROM pgboss.job
                       WHERE name = $2 AND state IN ('created', 'retry', 'active') AND (data ->> 'runId')::bigint = run_id)
     RETURNING run_id`,
    [
      JSON.stringify({
        code: 'LEASE_LOST',
        message: 'The workers that ran it died again and again. Look into their logs, then ingest the snapshot anew.',
      }),
      queues.ingestSnapshot.name,
      openStatuses,
    ],
  )
  // Includes runs that an operator ended over HTTP, where tables cannot be dropped.
  await db.transaction(sweepStagingTables)
  return lost.map(({ run_id: runId }) => runId)
}

/** Why a queued run does not start, as a sentence for the person waiting for it. */
import type { Queryable } from '../../db/db.ts'
import { shownInstant } from '../../domain/shown-instant.ts'
import type { RunRecord } from '../../ingest/run/runs.ts'

/** @returns undefined where no reason is known. */
export async function whyRunWaits(
  db: Queryable,
  { run_id, source, status, error }: RunRecord,
): Promise<string | undefined> {
  if (status !== 'queued') return undefined
  if (error) {
    const [next] = await db.query<{ due: Date }>(
      `SELECT start_after AS due FROM pgboss.job WHERE name = 'ingest-snapshot' AND data ->> 'runId' = $1::text
         AND state IN ('created', 'retry') AND start_after > now() ORDER BY start_after LIMIT 1`,
      [run_id],
    )
    const when = next ? `Next attempt at ${shownInstant(next.due)}.` : 'It will be retried.'
    return `Run ${run_id} waits: ${error.message} ${when}`
  }
  const [before] = await db.query<{ run_id: number; status: string }>(
    `SELECT run_id, status FROM ingest.run
     WHERE source = $1 AND run_id <> $2 AND status IN ('fetching', 'staging', 'checking', 'merging') ORDER BY run_id LIMIT 1`,
    [source, run_id],
  )
  return before && `Run ${run_id} waits for run ${before.run_id} of ${source}, which is ${before.status}.`
}

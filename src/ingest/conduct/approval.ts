/** What an operator decides about a suspicious run: let it through, or drop it. Either happens once. */
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { getRun, type RunRecord } from '../run/runs.ts'
import { statusesBefore } from '../run/transitions.ts'
import { dropStagingTables } from './staging-tables.ts'

/** Lets the run past its guards: it merges what it staged. @throws AppError CONFLICT when it does not wait. */
export async function approveRun(db: Db, queue: JobSender, runId: number): Promise<RunRecord> {
  await db.transaction(async (tx) => {
    // Invariant: of two operators one approves, since the status is tested and set in one statement.
    const [run] = await tx.query<{ source: string }>(
      `UPDATE ingest.run SET status = 'queued', approved_at = now(), error = NULL
       WHERE run_id = $1 AND status = 'needs_approval' RETURNING source`,
      [runId],
    )
    if (!run) throw await notWaiting(db, runId)
    await queue.send(tx, queues.ingestSnapshot, { runId }, { singletonKey: run.source })
  })
  return getRun(db, runId)
}

/** Ends the run with nothing applied. @throws AppError CONFLICT when it does not wait. */
export async function discardRun(db: Db, runId: number): Promise<RunRecord> {
  await db.transaction(async (tx) => {
    const touched = await tx.execute(
      `UPDATE ingest.run SET status = 'discarded', finished_at = now() WHERE run_id = $1 AND status = ANY ($2::text[])`,
      [runId, statusesBefore('discarded')],
    )
    if (touched === 0) throw await notWaiting(db, runId)
    await dropStagingTables(tx, runId)
  })
  return getRun(db, runId)
}

async function notWaiting(db: Db, runId: number): Promise<AppError> {
  const run = await getRun(db, runId)
  return new AppError('CONFLICT', `Run ${runId} is ${run.status}; only a run that needs approval can be decided.`)
}

/**
 * Stops a run in progress without applying it. First its row is marked, with a higher attempt number, so that nothing
 * is written for the run any more; then the connections of its attempts are ended, which rolls back whatever they had
 * begun, including an uncommitted merge. A committed merge cannot be cancelled; it can be undone.
 */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { endConnections } from '../run/claim.ts'
import { getRun, type RunRecord } from '../run/runs.ts'
import { isFinished } from '../run/transitions.ts'
import { dropStagingTables } from './staging-tables.ts'

export interface Cancelling {
  /** Who cancelled it, for the run's row. */
  readonly by: string
  /** Called in the transaction, for the caller to record the cancellation there. */
  readonly acted?: (tx: Tx) => Promise<void>
}

/**
 * For a process that may end the connections of workers.
 * @throws AppError NOT_FOUND, CONFLICT for a finished run.
 */
export async function cancelRun(db: Db, runId: number, { by, acted }: Cancelling): Promise<RunRecord> {
  await requireOpen(db, runId)
  const mark = (waits: boolean) =>
    db.transaction(async (tx) => {
      const isMarked = await markUnended(tx, runId, by, waits)
      if (isMarked) await acted?.(tx)
      return isMarked
    })
  // First, if possible: an attempt whose connections end can then find out why.
  if (!(await mark(false))) {
    // A step holds the row's lock until its transaction ends.
    await endConnections(db, `panji-ingest-${runId}-%`)
    await mark(true)
  }
  await cleanUp(db, runId)
  return getRun(db, runId)
}

/**
 * For a process that may not: marks the run unless its row is locked.
 * @returns false if a worker has to do it, see finishCancelling.
 */
export async function tryCancel(tx: Tx, runId: number, by: string): Promise<boolean> {
  await requireOpen(tx, runId)
  return markUnended(tx, runId, by, false)
}

/** Completes a requested cancellation. Idempotent; does nothing for a finished run. */
export async function finishCancelling(db: Db, runId: number, by: string): Promise<RunRecord> {
  await endConnections(db, `panji-ingest-${runId}-%`)
  const isCancelled = await db.transaction(
    async (tx) => (await markCancelled(tx, runId, by)) === true || (await getRun(tx, runId)).status === 'cancelled',
  )
  if (isCancelled) await cleanUp(db, runId)
  return getRun(db, runId)
}

/**
 * @returns false if a step of the run holds its row, and the caller does not wait for it.
 * @throws AppError CONFLICT
 */
async function markUnended(tx: Tx, runId: number, by: string, waits: boolean): Promise<boolean> {
  const marked = await markCancelled(tx, runId, by, waits)
  if (marked === false) throw ended(await getRun(tx, runId))
  return marked === true
}

/** @returns null if a step of the run holds its row, and the caller does not wait for it. */
async function markCancelled(tx: Queryable, runId: number, by: string, waits = true): Promise<boolean | null> {
  const error = { code: 'CANCELLED', message: `Cancelled by ${by}. Nothing was applied.` }
  const [marked] = await tx.query<{ cancelled: boolean | null }>('SELECT ingest.cancel_run($1, $2, $3) AS cancelled', [
    runId,
    JSON.stringify(error),
    waits,
  ])
  return marked?.cancelled ?? null
}

/** An attempt between two statements fails at its next one. */
async function cleanUp(db: Db, runId: number): Promise<void> {
  await endConnections(db, `panji-ingest-${runId}-%`)
  await db.transaction((tx) => dropStagingTables(tx, runId))
}

async function requireOpen(db: Pick<Db, 'query' | 'execute'>, runId: number): Promise<void> {
  const run = await getRun(db, runId)
  if (isFinished(run.status)) throw ended(run)
}

function ended({ run_id, status }: RunRecord): AppError {
  const remedy = status === 'succeeded' ? ` Undo it with \`panji undo ${run_id}\`.` : ''
  return new AppError('CONFLICT', `Import ${run_id} is ${status}; it is too late to cancel it.${remedy}`)
}

/**
 * What went wrong in an attempt, written into the run's row: the run ends as failed, or waits for the next attempt where
 * the fault may pass. Nothing is written for an attempt that another one has replaced, or for a run at its end.
 */
import { databaseFault } from '../../db/database-fault.ts'
import { Stopped } from '../../domain/stopped.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { deleteDownloads } from '../input/fetch-input.ts'
import { endConnections } from '../run/claim.ts'
import type { RunDependencies } from '../run/run-dependencies.ts'
import type { RunChange, RunLease } from '../run/run-lease.ts'
import { abandonStaging } from './staging-tables.ts'

/** Characters of an error's message in a run's row. */
const messageMax = 4000

/** @param ending what the row says of the run's end, where this is it. */
export async function recordFailure(
  {
    db,
    log,
    dataDir,
    signal,
    finalAttempt = true,
  }: Pick<RunDependencies, 'db' | 'log' | 'dataDir' | 'signal' | 'finalAttempt'>,
  lease: RunLease,
  source: string,
  cause: unknown,
  ending: Pick<RunChange, 'finished_at' | 'seconds'>,
): Promise<void> {
  if (cause instanceof AppError && cause.code === 'LEASE_LOST') return
  const known = cause instanceof AppError ? cause : cause instanceof Error ? databaseFault(cause) : undefined
  const retry = known?.retry ?? 'later'
  // Whatever the stop broke off on its way: a copy of rows, a statement, a download.
  const isStopped = retry === 'later' && signal.reason instanceof Stopped
  const isFinal = retry === 'never' || (retry === 'later' && finalAttempt && !isStopped)
  // What a library or the database says may quote the input, as long as it likes.
  const message = visible((cause instanceof Error ? cause.message : String(cause)).slice(0, messageMax), '\n')
  const error = isStopped
    ? { code: 'UNAVAILABLE', message: 'Panji was stopped; the run goes on once it works again' }
    : {
        code: known?.code ?? 'INTERNAL',
        message: known === undefined || known === cause ? message : `${known.message} (${message})`,
        ...(typeof known?.extra['source'] === 'string' && { source: known.extra['source'] }),
      }
  const told = {
    runId: lease.runId,
    source,
    status: isFinal ? 'failed' : 'queued',
    code: error.code,
    why: error.message,
  }
  if (isStopped) log.info(told, 'run goes back, as Panji stops')
  else log.warn(told, isFinal ? 'run ended' : 'run will be tried again')
  const change: RunChange = isFinal ? { status: 'failed', error, ...ending } : { status: 'queued', error }
  try {
    // Where the network died, the server may still hold the row for this attempt.
    await endConnections(db, lease.applicationName)
    // First and by itself: on a full disk nothing can be written before this gives space back.
    const isOpen = await lease.fenced((tx) => abandonStaging(tx, lease.runId))
    if (isOpen) await lease.update(db, change)
  } catch (second) {
    // The first error is the one to report; without a database the run stays open for the next attempt.
    log.warn({ err: second, runId: lease.runId }, 'the failure of a run could not be recorded')
  }
  // While the run will be repeated, what was downloaded stays: the next attempt goes on from there.
  if (isFinal) await deleteDownloads(dataDir, lease.runId)
}

/**
 * Records an attempt's failure in the run's row: the run ends as failed, or waits for the next attempt if the fault may
 * be transient. Nothing is written for an attempt that was replaced by another one, or for a finished run.
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

/** Maximum length of an error message in a run's row. */
const messageMax = 4000

/** @param ending what the row records if this ends the run. */
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
  // Whatever the shutdown interrupted: a copy of rows, a statement, a download.
  const isStopped = retry === 'later' && signal.reason instanceof Stopped
  const isFinal = retry === 'never' || (retry === 'later' && finalAttempt && !isStopped)
  // Messages of a library or the database may quote the input, at any length.
  const message = visible((cause instanceof Error ? cause.message : String(cause)).slice(0, messageMax), '\n')
  const error = isStopped
    ? { code: 'UNAVAILABLE', message: 'Panji was stopped; the run resumes when Panji is running again' }
    : {
        code: known?.code ?? 'INTERNAL',
        message: known === undefined || known === cause ? message : `${known.message} (${message})`,
        ...(typeof known?.extra['source'] === 'string' && { source: known.extra['source'] }),
      }
  const details = {
    runId: lease.runId,
    source,
    status: isFinal ? 'failed' : 'queued',
    code: error.code,
    why: error.message,
  }
  if (isStopped) log.info(details, 'run requeued: Panji is stopping')
  else log.warn(details, isFinal ? 'run ended' : 'run will be retried')
  const change: RunChange = isFinal ? { status: 'failed', error, ...ending } : { status: 'queued', error }
  try {
    // If the network failed, the server may still hold the row for this attempt.
    await endConnections(db, lease.applicationName)
    // First and in its own transaction: on a full disk nothing can be written before this frees space.
    const isOpen = await lease.fenced((tx) => abandonStaging(tx, lease.runId))
    if (isOpen) await lease.update(db, change)
  } catch (second) {
    // The first error is the one to report; without a database the run stays open for the next attempt.
    log.warn({ err: second, runId: lease.runId }, 'the failure of a run could not be recorded')
  }
  // If the run will be retried, its download is kept: the next attempt continues from there.
  if (isFinal) await deleteDownloads(dataDir, lease.runId)
}

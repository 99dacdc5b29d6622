/**
 * Claims a run for one attempt: ends what an earlier attempt left running, increments the attempt number, and takes the
 * source's advisory lock on a separate connection, so that two runs of one source never overlap across processes.
 */
import { asLogin } from '../../db/as-login.ts'
import type { Connection, Db, Queryable, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { RunLease } from './run-lease.ts'
import type { RunRecord } from './runs.ts'
import { readRun } from './runs.ts'
import { statusesBefore } from './transitions.ts'

/** Class of the advisory locks that one run per source holds from its first step to its last. */
const runLockClass = 0x696e67

/** @returns undefined if the run has already finished, so that a repeated job does nothing. */
export async function claimRun(db: Db, runId: number): Promise<RunLease | undefined> {
  await endConnections(db, `panji-ingest-${runId}-%`)
  const [claimed] = await db.query<{ attempt: number }>(
    `UPDATE ingest.run SET attempt = attempt + 1, status = 'fetching', started_at = coalesce(started_at, now()),
            finished_at = NULL, error = NULL
     WHERE run_id = $1 AND status = ANY ($2::text[]) RETURNING attempt`,
    [runId, statusesBefore('fetching')],
  )
  if (claimed) return new RunLease(db, runId, claimed.attempt)
  if (!(await readRun(db, runId))) throw new AppError('NOT_FOUND', `There is no run ${runId}.`)
  return undefined
}

export async function underSourceLock<T>(
  db: Db,
  lease: RunLease,
  run: RunRecord,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return db.withConnection(async (connection) => {
    await connection.execute(`SELECT set_config('application_name', $1, false)`, [lease.applicationName])
    try {
      await takeLock(connection, run.source)
      lease.under(connection)
      return await work(connection)
    } finally {
      // A broken connection is closed by its pool, and the server then releases the lock.
      await connection.execute('SELECT pg_advisory_unlock_all()').catch(() => 0)
      await connection.execute('RESET application_name').catch(() => 0)
    }
  })
}

/**
 * Ending a run's connection stops it (see endConnections). Work that does not query the database for long, such as a
 * download, is notified through the signal.
 */
export async function whileConnected<T>(
  { client }: Connection,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const end = () => gone.abort(new Error('Connection terminated while the run was at work'))
  client.once('end', end)
  try {
    return await work(AbortSignal.any([signal, gone.signal]))
  } finally {
    client.off('end', end)
  }
}

/**
 * Ends the connections of attempts by name (a LIKE pattern). A worker that was killed or stopped, or whose network
 * failed, may have left running statements or open transactions on the server, and with them the lock on the run's row
 * that others need.
 */
export async function endConnections(db: Pick<Db, 'transaction'>, names: string): Promise<void> {
  await db.transaction((tx) =>
    asLogin(
      tx,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE $1`,
      [names],
    ),
  )
}

/**
 * Keeps runs of the source out until the end of the transaction.
 * @throws AppError RUN_IN_PROGRESS
 */
export async function holdSource(tx: Tx, source: string): Promise<void> {
  const [lock] = await tx.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken', [
    runLockClass,
    source,
  ])
  if (lock?.taken !== true) {
    throw new AppError('RUN_IN_PROGRESS', `A run of ${source} is at work. Wait for its end, or cancel it.`, {
      retry: { afterMs: 5000 },
    })
  }
}

async function takeLock(connection: Queryable, source: string): Promise<void> {
  const [lock] = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken', [
    runLockClass,
    source,
  ])
  if (lock?.taken !== true) {
    throw new AppError('RUN_IN_PROGRESS', `Another run of ${source} is in progress; this one waits for it.`, {
      retry: { afterMs: 5000 },
    })
  }
}

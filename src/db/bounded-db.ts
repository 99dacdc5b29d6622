/**
 * A database with a time limit: when `signal` aborts, running statements are cancelled on the server too, and no
 * further ones start. The error is then the signal's reason, whatever the server reports.
 *
 * A cancel request that arrives between two statements is lost, so it is repeated until the work has ended. The
 * connection returns to the pool only then, so a cancel never hits another caller's statement.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asLogin } from './as-login.ts'
import type { Connection, Db } from './db.ts'
import { serverProcessOf } from './server-process.ts'
import { cancellerOf } from './standbys/canceller.ts'

export interface Bounds {
  /** Timeout of each statement, enforced by the server. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Whether the server may use parallel workers for snapshots. */
  readonly parallel: boolean
  /** Sends the cancel requests: on the bounded connections they would wait behind the statements that they cancel. */
  readonly cancelThrough: Pick<Db, 'transaction'>
}

const cancelAgainMs = 50

export function boundedDb(db: Db, bounds: Bounds): Db {
  const within =
    <C extends Connection, T>(work: (connection: C) => Promise<T>) =>
    (connection: C) =>
      runWithin(connection, bounds, work)
  const withConnection: Db['withConnection'] = (work) => db.withConnection(within(work))
  return {
    ...db,
    query: (sql, values) => withConnection((connection) => connection.query(sql, values)),
    execute: (sql, values) => withConnection((connection) => connection.execute(sql, values)),
    withConnection,
    transaction: (work, settings) => db.transaction(within(work), settings),
    snapshotTimeoutMax: Math.min(bounds.timeoutMs, db.snapshotTimeoutMax ?? bounds.timeoutMs),
    readSnapshot: (timeoutMs, work) =>
      db.readSnapshot(
        Math.min(timeoutMs, bounds.timeoutMs),
        within(async (connection) => {
          if (!bounds.parallel) await connection.execute('SET LOCAL max_parallel_workers_per_gather = 0')
          return work(connection)
        }),
      ),
  }
}

async function runWithin<C extends Connection, T>(
  connection: C,
  bounds: Bounds,
  work: (connection: C) => Promise<T>,
): Promise<T> {
  const { signal } = bounds
  signal.throwIfAborted()
  let ended = false
  let cancelling = Promise.resolve()
  const cancel = () => {
    cancelling = cancelUntil(() => ended, connection, cancellerOf(connection.client) ?? bounds.cancelThrough)
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work(guarded(connection, signal))
  } catch (error) {
    // The failure was caused by the abort, so report the signal's reason.
    signal.throwIfAborted()
    throw error
  } finally {
    ended = true
    signal.removeEventListener('abort', cancel)
    await cancelling
  }
}

const guarded = <C extends Connection>(connection: C, signal: AbortSignal): C => ({
  ...connection,
  query: async (sql, values) => {
    signal.throwIfAborted()
    return connection.query(sql, values)
  },
  execute: async (sql, values) => {
    signal.throwIfAborted()
    return connection.execute(sql, values)
  },
})

async function cancelUntil(
  ended: () => boolean,
  { client }: Connection,
  through: Bounds['cancelThrough'],
): Promise<void> {
  while (!ended()) {
    // If this fails, the statement's own timeout ends it.
    await through
      .transaction((tx) => asLogin(tx, 'SELECT pg_cancel_backend($1)', [serverProcessOf(client)]))
      .catch(() => [])
    if (!ended()) await delay(cancelAgainMs)
  }
}

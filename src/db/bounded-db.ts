/**
 * A database within bounds: what runs through it ends when `signal` aborts, on the server too, and no further statement
 * begins. The error is the signal's reason then, whatever the server said.
 *
 * A cancel request that arrives between two statements is lost, so it is repeated until the work has ended; the
 * connection goes back only then, so no cancel meets the statement of somebody else.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { asLogin } from './as-login.ts'
import type { Connection, Db } from './db.ts'
import { serverProcessOf } from './server-process.ts'
import { cancellerOf } from './standbys/canceller.ts'

export interface Bounds {
  /** Ceiling of each statement's time, on the server's side. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Snapshots may be read by several server processes at once. */
  readonly parallel: boolean
  /** Carries the cancel requests: on the bounded connections they would wait behind what they are to end. */
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
    // What failed, failed because of the abort: its reason is the one to report.
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
    // One that fails leaves the statement to its timeout.
    await through
      .transaction((tx) => asLogin(tx, 'SELECT pg_cancel_backend($1)', [serverProcessOf(client)]))
      .catch(() => [])
    if (!ended()) await delay(cancelAgainMs)
  }
}

/**
 * The only way to PostgreSQL: a pool with error listeners, parameters always bound, transactions as functions.
 *
 * Values have the types that JavaScript users expect: bigint and numeric as number (amounts and counts here stay below
 * 2^53), date as 'YYYY-MM-DD' text, timestamptz as Date.
 */

import pg from 'pg'
import { watchConnections } from './connection-watch.ts'
import { isConnectionFault, isPerhapsReplaced } from './database-fault.ts'
import { countDatabaseFault } from './fault-counts.ts'
import { freshConnections, poolWaitMsMax, type Turns } from './fresh-connections.ts'
import { makeBackendWay } from './process-priority.ts'
import { sessionConnection } from './session-options.ts'
import { literal, sql } from './sql.ts'
import { noteTimeline, timelineOf } from './timeline.ts'
import { requireReplicated, watchCommits } from './unreplicated.ts'

/** SQL text, or a named text that PostgreSQL prepares once per connection. */
export type Sql = string | { readonly name: string; readonly text: string }

export interface Queryable {
  /** Runs one statement and returns its rows. */
  query<R extends object>(sql: Sql, values?: readonly unknown[]): Promise<R[]>
  /** Runs one statement and returns the number of affected rows. */
  execute(sql: Sql, values?: readonly unknown[]): Promise<number>
}

export interface Connection extends Queryable {
  /** The connection itself, for COPY and session settings. */
  readonly client: pg.PoolClient
}

declare const inTransaction: unique symbol

/** A connection inside a transaction: only `transaction` and `readSnapshot` yield one. */
export interface Tx extends Connection {
  readonly [inTransaction]: true
}

export interface Db extends Queryable {
  /** The same for every handle on one database; caches of the database's content are keyed by it. */
  readonly identity: object
  /**
   * READ COMMITTED, whatever the server's default. Commits when `work` resolves, rolls back when it throws.
   * @param settings session settings for the duration of the transaction
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, settings?: Readonly<Record<string, string>>): Promise<T>
  /**
   * Several reads of one consistent snapshot: read-only, repeatable, each statement cancelled (57014) after
   * `timeoutMs`.
   */
  readSnapshot<T>(timeoutMs: number, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Upper limit of `timeoutMs`. */
  readonly snapshotTimeoutMax?: number
  /** One connection outside a transaction, for COPY, LISTEN and session-level advisory locks. */
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Connections of the pool: open ones, how many of these are idle, and the callers waiting for one. */
  poolUsage(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

export interface DbOptions {
  readonly connectionString: string
  readonly applicationName: string
  readonly connectionsMax?: number
  /** Role that every connection switches to; by default they keep the login's. */
  readonly role?: string | undefined
  /** Settings of every connection, applied when it opens. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** The server cancels (57014) any statement that takes longer; unlimited by default. */
  readonly statementTimeoutMs?: number
  /** For a server that this process started: its processes for these connections run at a lower CPU priority. */
  readonly yielding?: boolean
  /** Keeps idle connections open, so that a burst of callers need not wait for new ones. */
  readonly isKept?: boolean
  /** The order in which callers get connections; by default first come, first served. */
  readonly turns?: Turns
  /** Receives the error of an idle connection; the pool replaces the connection automatically. */
  readonly onError?: (error: Error) => void
}

const asNumber = (text: string): number => Number(text)
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, asNumber],
  [pg.types.builtins.NUMERIC, asNumber],
  [pg.types.builtins.DATE, (text) => text],
])

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parser = format === 'binary' ? undefined : parsers.get(oid)
    return parser ?? pg.types.getTypeParser(oid, format)
  },
}

function queryableOf(client: pg.PoolClient): Queryable {
  const run = async (sql: Sql, values: readonly unknown[] = []) => {
    const result = await client.query(
      typeof sql === 'string' ? { text: sql, values: [...values] } : { ...sql, values: [...values] },
    )
    requireReplicated(client)
    return result
  }
  return {
    query: async <R extends object>(sql: Sql, values?: readonly unknown[]) => (await run(sql, values)).rows as R[],
    execute: async (sql, values) => (await run(sql, values)).rowCount ?? 0,
  }
}

/**
 * A transaction on a connection that the caller already holds; everything else uses `Db.transaction`.
 * @param discard receives the error of a connection that cannot roll back; the original error is still the one thrown.
 */
export async function transactOn<T>(
  connection: Connection,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  discard: (why: Error) => void,
): Promise<T> {
  try {
    // Without parameters, so that several statements fit in one message.
    await connection.client.query(begin)
    const result = await work(connection as Tx)
    await connection.execute('COMMIT')
    return result
  } catch (error) {
    await connection.execute('ROLLBACK').catch(discard)
    throw error
  }
}

const setLocally = ([name, value]: readonly [string, string]): string => sql`SET LOCAL ${name} = ${literal(value)}`

function countAndThrow(error: unknown): never {
  countDatabaseFault(error)
  throw error
}

export function openDb(options: DbOptions): Db {
  const { connectionString, applicationName, role, settings, statementTimeoutMs, connectionsMax = 10 } = options
  const config = {
    ...sessionConnection(connectionString, { role, statementTimeoutMs, settings }),
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const pool = new pg.Pool({
    ...config,
    max: connectionsMax,
    connectionTimeoutMillis: poolWaitMsMax,
    min: options.isKept === true ? connectionsMax : 0,
    types,
  })
  const onError = options.onError ?? (() => {})
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('connect', (client) => {
    noteTimeline(pool, timelineOf(client))
    watchCommits(client)
  })
  if (options.yielding === true) pool.on('connect', makeBackendWay)
  const connections = freshConnections(pool, options.turns)
  // Checks as the login itself: only the same login may see and end the connections.
  const watch = watchConnections(pool, { ...config, ...sessionConnection(connectionString, {}) })

  /** `work` may call `discard` for a connection that must not be reused. */
  async function onConnection<T>(
    work: (connection: Connection, discard: (why: Error) => void) => Promise<T>,
  ): Promise<T> {
    watch.assertReachable()
    const client = await connections.take().catch(countAndThrow)
    let broken: Error | undefined
    try {
      return await work({ ...queryableOf(client), client }, (why) => {
        broken = why
      })
    } catch (error) {
      countDatabaseFault(error)
      if (error instanceof Error) {
        if (isConnectionFault(error)) broken = error
        if (isPerhapsReplaced(error)) connections.renew()
      }
      throw error
    } finally {
      client.release(broken ?? !connections.isFresh(client))
    }
  }

  const transact = <T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    onConnection((connection, discard) => transactOn(connection, begin, work, discard))

  return {
    query: (sql, values) => onConnection((connection) => connection.query(sql, values)),
    execute: (sql, values) => onConnection((connection) => connection.execute(sql, values)),
    identity: pool,
    withConnection: (work) => onConnection(work),
    // Stated explicitly, since a server, a database or a role may have another default.
    transaction: (work, held = {}) =>
      transact(['BEGIN ISOLATION LEVEL READ COMMITTED', ...Object.entries(held).map(setLocally)].join('; '), work),
    readSnapshot: (timeoutMs, work) =>
      transact(
        sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)}`,
        work,
      ),
    poolUsage: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: options.turns?.waiting() ?? pool.waitingCount,
    }),
    close: async () => {
      watch.stop()
      await pool.end()
    },
  }
}

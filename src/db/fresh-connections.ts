/**
 * Pool connections that lead to the current server. After a failover the old primary may still serve open connections,
 * read-only, while the address leads to the new one. So at the first fault that may indicate this, all existing
 * connections are dropped as they are returned or requested.
 *
 * The time limit for getting a connection counts only time in which the event loop runs: while the loop is blocked,
 * replies of busy connections cannot be read, and that says nothing about the database. The pool's owner may set the
 * order in which waiting callers are served.
 */
import type pg from 'pg'
import { withinAwake } from '../domain/awake-time.ts'

export interface FreshConnections {
  take(): Promise<pg.PoolClient>
  isFresh(client: pg.PoolClient): boolean
  /** Connections opened before now are not reused. */
  renew(): void
}

/** If a database is read-only for an hour, not every call may reopen all connections. */
const renewEveryMs = 1_000
/** Timeouts of the pool include time in which the event loop was blocked; they only prevent waiting forever. */
export const poolWaitMsMax = 10_000

interface Times {
  readonly waitMs: number
  readonly nowMs: () => number
}
const usualTimes: Times = { waitMs: 5_000, nowMs: () => performance.now() }

/** The order in which callers waiting for a connection are served. */
export interface Turns {
  /**
   * @returns a function that ends the turn.
   * @throws the signal's reason.
   */
  enter(signal: AbortSignal): Promise<() => void>
  /** Callers waiting for their turn. */
  waiting(): number
}

export function freshConnections(
  pool: pg.Pool,
  turns?: Turns,
  { waitMs, nowMs }: Times = usualTimes,
): FreshConnections {
  const generations = new WeakMap<pg.PoolClient, number>()
  let generation = 0
  let renewedAtMs = Number.NEGATIVE_INFINITY
  pool.on('connect', (client) => generations.set(client, generation))
  const isFresh = (client: pg.PoolClient) => generations.get(client) === generation
  const connect = connecting(pool, turns)
  return {
    isFresh,
    async take() {
      for (;;) {
        const client = await connectInTime(connect, waitMs)
        if (isFresh(client)) return client
        client.release(true)
      }
    },
    renew() {
      if (nowMs() - renewedAtMs < renewEveryMs) return
      renewedAtMs = nowMs()
      generation++
    },
  }
}

/**
 * @returns the pool's own `connect`, or one that grants as many turns as the pool has connections; a turn ends when its
 *   connection is released.
 */
function connecting(pool: pg.Pool, turns: Turns | undefined): (signal: AbortSignal) => Promise<pg.PoolClient> {
  if (!turns) return () => pool.connect()
  const ends = new WeakMap<pg.PoolClient, () => void>()
  pool.on('release', (_error, client) => ends.get(client)?.())
  return async (signal) => {
    const end = await turns.enter(signal)
    try {
      const client = await pool.connect()
      ends.set(client, end)
      return client
    } catch (error) {
      end()
      throw error
    }
  }
}

async function connectInTime(
  connect: (signal: AbortSignal) => Promise<pg.PoolClient>,
  waitMs: number,
): Promise<pg.PoolClient> {
  const waiting = new AbortController()
  const coming = connect(waiting.signal)
  return withinAwake(coming, waitMs, () => {
    // The caller has given up.
    coming.then(
      (client) => client.release(),
      () => {},
    )
    waiting.abort()
    throw new Error('timeout exceeded when trying to connect')
  })
}

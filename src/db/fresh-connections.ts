/**
 * Connections of a pool that lead to the server of now. After a failover the old primary may live on behind connections
 * that are open, where it takes reads and no writes, while the address leads to the new one: so the first fault that may
 * mean it lets all connections of before go, as they come back or are asked for.
 *
 * Whoever waits for one waits so long of the time in which the event loop runs: what blocks the loop keeps the answers of the
 * connections that are out from being read, and says nothing of the database. In which order those who
 * wait are served, the pool's owner may say.
 */
import type pg from 'pg'
import { withinAwake } from '../domain/awake-time.ts'

export interface FreshConnections {
  take(): Promise<pg.PoolClient>
  isFresh(client: pg.PoolClient): boolean
  /** What was opened until now is not used again. */
  renew(): void
}

/** A database that takes no writes for an hour does not have all its connections opened anew by each call. */
const renewEveryMs = 1_000
/** Bounds of the pool itself only see to it that nothing stays for ever: they count time that the loop was blocked as well. */
export const poolWaitMsMax = 10_000

interface Times {
  readonly waitMs: number
  readonly nowMs: () => number
}
const usualTimes: Times = { waitMs: 5_000, nowMs: () => performance.now() }

/** The order in which those who wait for a connection are served. */
export interface Turns {
  /** @returns what ends the turn. @throws the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>
  /** How many wait for theirs. */
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
        const client = await taken(connect, waitMs)
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

/** @returns the pool's own way, or as many turns as it has connections; one ends when its connection comes back. */
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

async function taken(connect: (signal: AbortSignal) => Promise<pg.PoolClient>, waitMs: number): Promise<pg.PoolClient> {
  const waiting = new AbortController()
  const coming = connect(waiting.signal)
  return withinAwake(coming, waitMs, () => {
    // Nobody waits for it any more.
    coming.then(
      (client) => client.release(),
      () => {},
    )
    waiting.abort()
    throw new Error('timeout exceeded when trying to connect')
  })
}

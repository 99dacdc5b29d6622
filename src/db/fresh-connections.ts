/**
 * Connections of a pool that lead to the server of now. After a failover the old primary may live on behind connections
 * that are open, where it takes reads and no writes, while the address leads to the new one: so the first fault that may
 * mean it lets all connections of before go, as they come back or are asked for.
 */
import type pg from 'pg'

export interface FreshConnections {
  take(): Promise<pg.PoolClient>
  isFresh(client: pg.PoolClient): boolean
  /** What was opened until now is not used again. */
  renew(): void
}

/** A database that takes no writes for an hour does not have all its connections opened anew by each call. */
const renewEveryMs = 1_000

export function freshConnections(pool: pg.Pool, nowMs: () => number = () => performance.now()): FreshConnections {
  const generations = new WeakMap<pg.PoolClient, number>()
  let generation = 0
  let renewedAtMs = Number.NEGATIVE_INFINITY
  pool.on('connect', (client) => generations.set(client, generation))
  const isFresh = (client: pg.PoolClient) => generations.get(client) === generation
  return {
    isFresh,
    async take() {
      for (;;) {
        const client = await pool.connect()
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

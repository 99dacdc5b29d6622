/** Whether any process runs jobs: workers share an advisory lock that is released when their connection ends. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Db, Queryable } from '../db/db.ts'

/** Key of the lock: the letters "work" as a number. */
const presenceLock = 0x776f726b
/** A dead connection is noticed only when it is used. */
const proofEveryMs = 5_000
const retryAfterMs = 1_000

/** Holds the lock until `release`, reconnecting if the connection is lost. */
export async function holdWorkerPresence(db: Db): Promise<{ release(): Promise<void> }> {
  const stopping = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  const hold = (held: () => void) =>
    db.withConnection(async (connection: Connection) => {
      await connection.execute('SELECT pg_advisory_lock_shared($1)', [presenceLock])
      held()
      while (!stopping.signal.aborted) {
        await pause(proofEveryMs)
        await connection.execute('SELECT 1')
      }
      await connection.execute('SELECT pg_advisory_unlock_shared($1)', [presenceLock])
    })

  async function regain(first: Promise<void>): Promise<void> {
    let holding = first
    for (;;) {
      try {
        return await holding
      } catch {
        // While the lock is lost, commands start a worker of their own, which does no harm. So it is simply acquired
        // again; the pool logs the lost connection.
        if (stopping.signal.aborted) return
        await pause(retryAfterMs)
        holding = hold(() => {})
      }
    }
  }

  let holding: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    holding = hold(resolve)
    holding.catch(reject)
  })
  const settled = regain(holding)
  return {
    async release() {
      stopping.abort()
      await settled
    },
  }
}

export const workerIsPresent = async (db: Queryable): Promise<boolean> => (await countWorkers(db)) > 0

/** For a process that runs a worker itself. */
export const otherWorkerIsPresent = async (db: Queryable): Promise<boolean> => (await countWorkers(db)) > 1

async function countWorkers(db: Queryable): Promise<number> {
  const [found] = await db.query<{ workers: number }>(
    `SELECT count(*) AS workers FROM pg_locks
     WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND mode = 'ShareLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [presenceLock],
  )
  return found?.workers ?? 0
}

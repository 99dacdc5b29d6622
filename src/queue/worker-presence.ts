/** Tells whether any process runs jobs: workers share an advisory lock that dies with their connection. */
import type { Db, Queryable } from '../db/db.ts'

/** Key of the lock: the letters "work" as a number. */
const presenceLock = 0x776f726b

export async function holdWorkerPresence(db: Db): Promise<{ release(): Promise<void> }> {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let held: () => void = () => {}
  const holding = new Promise<void>((resolve) => {
    held = resolve
  })
  const done = db.withConnection(async (connection) => {
    await connection.execute('SELECT pg_advisory_lock_shared($1)', [presenceLock])
    held()
    await released
    await connection.execute('SELECT pg_advisory_unlock_shared($1)', [presenceLock])
  })
  // A lost connection is reported at release; meanwhile it only means that commands start a worker of their own.
  const settled = done.catch(() => {})
  await Promise.race([holding, done])
  return {
    async release() {
      release()
      await settled
    },
  }
}

export async function workerIsPresent(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ present: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND mode = 'ShareLock'
       AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS present`,
    [presenceLock],
  )
  return rows[0]?.present ?? false
}

/**
 * Commands that use the embedded server of another command. Each holds a connection from its start to its end, because
 * a pool closes idle ones, and a command may wait at its terminal for an answer. The server stops once the last of them
 * has ended.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDb } from '../../db/db.ts'
import { type InstanceLock, readInstance } from '../../db/embedded/instance-lock.ts'

const connectTo = (connectionString: string, isKept: boolean): Db =>
  openDb({ connectionString, applicationName: `panji:${process.pid}`, connectionsMax: 1, isKept })

export interface Visit {
  end(): Promise<void>
}

/**
 * The owner withdraws the address before it looks for guests a last time. So a guest that is connected while the
 * address is still there was seen. @returns undefined where the owner is ending.
 */
export async function visit(dataDir: string, databaseUrl: string): Promise<Visit | undefined> {
  const isOpen = () => readInstance(dataDir)?.databaseUrl === databaseUrl
  const db = connectTo(databaseUrl, true)
  try {
    await db.query('SELECT 1')
  } catch (error) {
    await db.close()
    if (isOpen()) throw error
    return undefined
  }
  if (isOpen()) return { end: () => db.close() }
  await db.close()
  return undefined
}

const noteAfterMs = 2_000

/**
 * Resolves when the server may stop. From then on the lock names no database, so that a command that starts now waits
 * for the end of this one and opens the database itself. @param note says why this command has not ended yet.
 */
export async function untilAlone(databaseUrl: string, lock: InstanceLock, note: (line: string) => void): Promise<void> {
  const db = connectTo(databaseUrl, false)
  const noteAt = Date.now() + noteAfterMs
  let noted = false
  try {
    for (;;) {
      if (!(await hasGuests(db))) {
        lock.withdraw()
        if (!(await hasGuests(db))) return
        lock.publish({ databaseUrl })
      }
      if (!noted && Date.now() > noteAt) {
        note('Waiting for other commands that use the database of this one.')
        noted = true
      }
      await delay(100)
    }
  } finally {
    await db.close()
  }
}

async function hasGuests(db: Db): Promise<boolean> {
  const guests = await db.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'panji:%' AND split_part(application_name, ':', 2) <> $1 LIMIT 1`,
    [String(process.pid)],
  )
  return guests.length > 0
}

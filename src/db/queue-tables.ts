/**
 * The tables of the queue. pg-boss creates and upgrades them as the login that migrates, and they are then handed to
 * the owner role like everything else. So the roles that run jobs cannot change the queue's tables, functions or
 * policies. Idempotent.
 */
import { createHash } from 'node:crypto'
import { getConstructionPlans, PgBoss } from 'pg-boss'
import type { Connection, Queryable } from './db.ts'

/** The row of runtime.sql_function that records which version of the tables a database has. */
const recordName = 'queue'
const sha256 = createHash('sha256').update(getConstructionPlans()).digest('hex')

export async function queueTablesAreCurrent(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT FROM runtime.sql_function WHERE name = $1 AND sha256 = $2', [recordName, sha256])
  return rows.length > 0
}

/** @returns true if it created or changed any. */
export async function makeQueueTables(connection: Connection): Promise<boolean> {
  if (await queueTablesAreCurrent(connection)) return false
  await runPgBoss(connection)
  await buildIndexes(connection)
  await connection.execute(
    `INSERT INTO runtime.sql_function (name, sha256) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = now()`,
    [recordName, sha256],
  )
  return true
}

async function runPgBoss(connection: Connection): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values = []) => ({ rows: await connection.query(text, values) }) },
    schedule: false,
    supervise: false,
  })
  const faults: Error[] = []
  boss.on('error', (error) => faults.push(error))
  await boss.start()
  await boss.stop({ graceful: false, close: false })
  const [fault] = faults
  if (fault) throw fault
}

const indexOfQueue = /^\s*CREATE (UNIQUE )?INDEX CONCURRENTLY (IF NOT EXISTS )?\w+\s+ON pgboss\.\w+\s[^;]*$/i

/**
 * pg-boss leaves the indexes of a new version to its workers, whose role may not create them.
 * @throws Error for any other command: the worker of an earlier release could write these rows.
 */
async function buildIndexes(connection: Connection): Promise<void> {
  const pending = await connection.query<{ id: string; command: string }>(
    `SELECT id, command FROM pgboss.bam WHERE status <> 'completed' ORDER BY version, created_on, id`,
  )
  for (const { id, command } of pending) {
    if (!indexOfQueue.test(command)) throw new Error(`pgboss.bam has a command that is not a queue index: ${command}`)
    await connection.execute(command)
    await connection.execute(`UPDATE pgboss.bam SET status = 'completed', completed_on = now() WHERE id = $1`, [id])
  }
}

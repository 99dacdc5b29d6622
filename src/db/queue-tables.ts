/**
 * The tables of the queue: pg-boss makes them, and brings them up to its version, as the login that migrates; they are handed
 * to the owner with everything else. So whoever runs jobs changes no table, function or policy of the queue. Run again, it
 * changes nothing.
 */
import { createHash } from 'node:crypto'
import { getConstructionPlans, PgBoss } from 'pg-boss'
import type { Connection, Queryable } from './db.ts'

/** The row of runtime.sql_function that says which tables a database has. */
const recordName = 'queue'
const sha256 = createHash('sha256').update(getConstructionPlans()).digest('hex')

export async function queueTablesAreCurrent(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT FROM runtime.sql_function WHERE name = $1 AND sha256 = $2', [recordName, sha256])
  return rows.length > 0
}

/** @returns true where it made or changed any. */
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
 * pg-boss leaves the indexes of a new version to whoever runs jobs, who may make none.
 * @throws Error for a command that is none: the worker of an earlier release could write these rows.
 */
async function buildIndexes(connection: Connection): Promise<void> {
  const pending = await connection.query<{ id: string; command: string }>(
    `SELECT id, command FROM pgboss.bam WHERE status <> 'completed' ORDER BY version, created_on, id`,
  )
  for (const { id, command } of pending) {
    if (!indexOfQueue.test(command)) throw new Error(`pgboss.bam asks for what is no index of the queue: ${command}`)
    await connection.execute(command)
    await connection.execute(`UPDATE pgboss.bam SET status = 'completed', completed_on = now() WHERE id = $1`, [id])
  }
}

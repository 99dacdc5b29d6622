/**
 * Carries the queue's jobs independently of its tables. The queue creates those itself, with names and columns that
 * change with its version and with the day; so jobs are saved as one list, and loaded into the restored queue as jobs.
 * A job that a worker had runs again; a waiting one may wait as long as it still could when it was saved.
 */

import type { Db, Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { copiedOut } from './copied-out.ts'
import { copyIn } from './copy-in.ts'
import type { Manifest, TableContent } from './manifest.ts'
import { textSettings } from './tables.ts'
import { brokenBackup } from './tar.ts'

/** The name of the jobs in a backup. */
export const jobsName = 'pgboss.job'

const meaning = [
  ...['id', 'name', 'priority', 'data', 'state', 'policy', 'singleton_key', 'singleton_on', 'output', 'dead_letter'],
  ...['retry_limit', 'retry_count', 'retry_delay', 'retry_backoff', 'retry_delay_max', 'expire_seconds'],
  ...['deletion_seconds', 'heartbeat_seconds', 'start_after', 'created_on', 'started_on', 'completed_on', 'keep_until'],
  // The request that a job originates from, and its trace: see groupOfOrigin in src/queue/queue.ts.
  ...['group_id', 'group_tier'],
  ...['source_name', 'source_id', 'source_created_on', 'source_retry_count', 'source_output', 'source_root_id'],
]

/** How a column is converted; `$1` is the time of the snapshot. The others are kept. */
const changed: Readonly<Record<string, string>> = {
  state: `CASE state WHEN 'active' THEN 'retry' ELSE state END`,
  started_on: `CASE state WHEN 'active' THEN NULL ELSE started_on END`,
  keep_until: `(keep_until::timestamptz + greatest(now() - $1::timestamptz, '0'))::text`,
}

/** Columns of this queue that carry the meaning of a job. */
const jobColumns = (db: Queryable): Promise<{ name: string; type: string }[]> =>
  db.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = to_regclass('pgboss.job') AND attnum > 0 AND NOT attisdropped AND attname = ANY($1)
     ORDER BY array_position($1, attname::text)`,
    [meaning],
  )

export async function copyJobsOut(tx: Tx): Promise<{ columns: string[]; rows: AsyncIterable<Buffer> }> {
  const columns = (await jobColumns(tx)).map(({ name }) => name)
  const list = columns.join(', ')
  const query = sql`COPY (SELECT ${list} FROM pgboss.job ORDER BY created_on, id) TO STDOUT`
  return { columns, rows: copiedOut(tx.client, query) }
}

/**
 * @param makeQueue creates a queue that jobs of another version are in. @throws AppError BACKUP_INVALID where fewer
 * jobs arrive than were saved.
 */
export async function giveJobsBack(
  db: Db,
  { path, manifest }: { readonly path: string; readonly manifest: Manifest },
  makeQueue: (name: string) => Promise<unknown>,
): Promise<void> {
  const content = manifest.tables.find(({ name }) => name === jobsName)
  if (!content) return
  await db.transaction(async (tx) => {
    await tx.client.query(textSettings)
    const here = await jobColumns(tx)
    await holdAsText(tx, path, content)
    for (const name of await unknownQueues(tx)) await makeQueue(name)
    const columns = here.filter(({ name }) => content.columns.includes(name))
    const values = columns.map(({ name, type }) => sql`(${changed[name] ?? name})::${type}`)
    const arrived = await tx.execute(
      sql`INSERT INTO pgboss.job (${columns.map(({ name }) => name).join(', ')})
          SELECT ${values.join(', ')} FROM saved_job`,
      [manifest.taken_at],
    )
    if (arrived !== content.rows) throw brokenBackup(`only ${arrived} of its ${content.rows} jobs were restored`)
  })
}

/** Any other column of the queue is loaded without a name. */
async function holdAsText(tx: Tx, path: string, content: TableContent): Promise<void> {
  const columns = content.columns.map(
    (name, place) => sql`${meaning.includes(name) ? name : sql`unnamed_${place}`} text`,
  )
  await tx.execute(sql`CREATE TEMP TABLE saved_job (${columns.join(', ')}) ON COMMIT DROP`)
  await copyIn(tx, path, [{ content, statement: 'COPY saved_job FROM STDIN' }])
}

async function unknownQueues(tx: Tx): Promise<string[]> {
  const found = await tx.query<{ queue: string }>(
    `SELECT DISTINCT queue FROM saved_job, unnest(ARRAY[name, dead_letter]) AS queue
        WHERE queue IS NOT NULL AND queue NOT IN (SELECT name FROM pgboss.queue)`,
  )
  return found.map(({ queue }) => queue)
}

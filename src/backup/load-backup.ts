/**
 * Loads the rows of a verified backup into a database with the schema that they came from. Each call is one
 * transaction: the tables are truncated, filled, and read back to be compared with the manifest. Triggers and foreign
 * keys are disabled, because the snapshot is consistent in itself; so the login must be a superuser, or have the right
 * to disable them.
 */

import type { Db, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type CopyOptions, copyIn } from './copy-in.ts'
import type { Manifest, TableContent } from './manifest.ts'
import { jobsName } from './queued-jobs.ts'
import { copyOut, describeTables, Tally, textSettings } from './tables.ts'
import { brokenBackup } from './tar.ts'

export interface LoadRequest extends CopyOptions {
  readonly path: string
  readonly manifest: Manifest
}

/** @throws AppError BACKUP_INVALID where the database has other tables, or different content afterwards. */
export async function loadTables(db: Db, { path, manifest, onRows, signal }: LoadRequest): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.client.query(textSettings)
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    const tables = await tablesOfSchema(tx, manifest)
    // Tables that are not kept may refer to those that are; this database is not in use yet.
    await tx.execute(sql`TRUNCATE ${tables.map(({ name }) => name).join(', ')} CASCADE`)
    const targets = tables.map((content) => ({
      content,
      statement: sql`COPY ${content.name} (${content.columns.join(', ')}) FROM STDIN`,
    }))
    await copyIn(tx, path, targets, { onRows, signal })
    for (const table of tables) {
      signal?.throwIfAborted()
      await compare(tx, table)
    }
    // As with tables: a sequence that does not exist here was not Panji's.
    for (const { name, last, called } of manifest.sequences)
      await tx.execute('SELECT setval(kept, $2::bigint, $3) FROM to_regclass($1) AS kept WHERE kept IS NOT NULL', [
        name,
        last,
        called,
      ])
  })
}

/**
 * The database has the schema of the backup, migration by migration, so a table that does not exist here was not
 * Panji's. A backup of another version's schema includes whatever is in Panji's schemas.
 */
async function tablesOfSchema(tx: Tx, manifest: Manifest): Promise<TableContent[]> {
  // The queue creates its own table; its jobs are loaded later.
  const saved = manifest.tables.filter(({ name }) => name !== jobsName)
  const found = await describeTables(
    tx,
    saved.map(({ name }) => name),
  )
  const here = new Map(found.map(({ name, columns }) => [name, columns.toSorted().join()]))
  const tables = saved.filter(({ name }) => here.has(name))
  for (const { name, columns } of tables) {
    if (here.get(name) !== columns.toSorted().join())
      throw brokenBackup(`this version has no table ${name} of the columns that were saved`)
  }
  return tables
}

/** Rows are read back in the order in which they were loaded into an empty table. */
async function compare(tx: Tx, table: TableContent): Promise<void> {
  const tally = new Tally()
  for await (const chunk of copyOut(tx, table)) tally.add(chunk)
  if (tally.rows !== table.rows || tally.sha256() !== table.sha256)
    throw brokenBackup(`${table.name} reads back otherwise than it was saved`)
}

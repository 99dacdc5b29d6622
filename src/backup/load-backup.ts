/**
 * Puts the rows of a checked backup into a database that holds the schema that they were taken from. Each call is one
 * transaction: the tables are emptied, filled, and read back to be compared with the manifest. Triggers and foreign keys
 * are not asked, since the snapshot is whole in itself; so the login must be a superuser, or be allowed to say so.
 */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { backupMembers, partOf } from './check-backup.ts'
import { type Manifest, type TableContent, tableEntry } from './manifest.ts'
import { copyOut, storedTables, Tally, textSettings } from './tables.ts'
import { brokenBackup } from './tar.ts'

export interface LoadRequest {
  readonly path: string
  readonly manifest: Manifest
  /** Which tables to load, by name. */
  readonly wanted: (name: string) => boolean
  readonly onRows?: (rows: number) => void
}

/** @throws AppError BACKUP_INVALID where the database's tables are others, or hold something else afterwards. */
export async function loadTables(db: Db, { path, manifest, wanted, onRows }: LoadRequest): Promise<void> {
  const tables = manifest.tables.filter(({ name }) => wanted(name))
  if (tables.length === 0) return
  await db.transaction(async (tx) => {
    await tx.client.query(textSettings)
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await requireSameTables(tx, tables)
    // Tables that are not kept may refer to those that are; nobody has used this database yet.
    await tx.execute(sql`TRUNCATE ${tables.map(({ name }) => name).join(', ')} CASCADE`)
    await fill(tx, path, tables, onRows ?? (() => {}))
    for (const table of tables) await compare(tx, table)
    // Backups of earlier versions name the sequences of runs that were at work, whose tables are not kept.
    for (const { name, last, called } of manifest.sequences.filter((each) => wanted(each.name)))
      await tx.execute('SELECT setval(kept, $2::bigint, $3) FROM to_regclass($1) AS kept WHERE kept IS NOT NULL', [
        name,
        last,
        called,
      ])
  })
}

async function requireSameTables(tx: Tx, tables: readonly TableContent[]): Promise<void> {
  const here = new Map((await storedTables(tx)).map(({ name, columns }) => [name, columns.toSorted().join()]))
  for (const { name, columns } of tables) {
    if (here.get(name) !== columns.toSorted().join())
      throw brokenBackup(`this version has no table ${name} of the columns that were saved`)
  }
}

async function fill(
  tx: Tx,
  path: string,
  tables: readonly TableContent[],
  onRows: (rows: number) => void,
): Promise<void> {
  const byEntry = new Map(tables.map((table) => [tableEntry(table.name), table]))
  const members = backupMembers(path)
  let rows = 0
  let next = await members.next()
  // The parts of one table follow each other.
  async function* bodiesOf(entry: string): AsyncGenerator<Buffer> {
    while (!next.done && partOf(next.value.name).entry === entry) {
      yield next.value.body
      next = await members.next()
    }
  }
  while (!next.done) {
    const { entry } = partOf(next.value.name)
    const table = byEntry.get(entry)
    if (table) {
      const copy = tx.client.query(copyFrom(sql`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`))
      await pipeline(Readable.from(bodiesOf(entry)), copy)
      rows += table.rows
      onRows(rows)
    } else {
      next = await members.next()
    }
  }
}

/** Rows come back in the order in which they were put into an empty table. */
async function compare(tx: Tx, table: TableContent): Promise<void> {
  const tally = new Tally()
  for await (const chunk of copyOut(tx, table)) tally.add(chunk)
  if (tally.rows !== table.rows || tally.sha256() !== table.sha256)
    throw brokenBackup(`${table.name} reads back otherwise than it was saved`)
}

/**
 * The size of a world at rest: its database, its largest tables with their indexes, and the server's folder with its
 * WAL.
 */
import type { Db } from '../../src/db/db.ts'
import { bytesOf } from './watch.ts'

export interface Sizes {
  readonly databaseBytes: number
  readonly folderBytes: number
  readonly walBytes: number
  /** Table → bytes including its indexes, and the bytes of the indexes. */
  readonly tables: Readonly<Record<string, { readonly bytes: number; readonly indexBytes: number }>>
}

export async function readSizes(db: Db): Promise<Sizes> {
  await db.execute('CHECKPOINT')
  const [server] = await db.query<{ folder: string; bytes: number }>(
    `SELECT current_setting('data_directory') AS folder, pg_database_size(current_database()) AS bytes`,
  )
  const tables = await db.query<{ name: string; bytes: number; indexBytes: number }>(
    `SELECT oid::regclass::text AS name, pg_total_relation_size(oid) AS bytes, pg_indexes_size(oid) AS "indexBytes"
     FROM pg_class WHERE relkind = 'r' AND pg_total_relation_size(oid) > 1048576 ORDER BY 2 DESC LIMIT 12`,
  )
  const { folderBytes, walBytes } = await bytesOf(server?.folder ?? '')
  return {
    ...{ databaseBytes: server?.bytes ?? 0, folderBytes, walBytes },
    tables: Object.fromEntries(tables.map(({ name, ...sizes }) => [name, sizes])),
  }
}

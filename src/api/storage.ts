/**
 * Free space on the disk of the data directory, and what Panji uses: files of runs and uploads, and the database, which
 * may be on another machine. Read at most once a minute per process, however many ask, because sizes are summed file by
 * file.
 */
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { spoolRoot } from '../ingest/input/drop-folder/spool.ts'
import { sharedReading } from './shared-reading.ts'

const sharedMs = 60_000

export const createStorage = (db: Queryable, dataDir: string) => sharedReading(() => readStorage(db, dataDir), sharedMs)

async function readStorage(db: Queryable, dataDir: string) {
  const [database] = await db.query<{ bytes: number }>(
    sql`SELECT pg_database_size(current_database())::float8 AS bytes`,
    [],
  )
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return {
    read_at: new Date().toISOString(),
    free_bytes: bavail * bsize,
    total_bytes: blocks * bsize,
    spool_bytes: await bytesBelow(spoolRoot(dataDir)),
    database_bytes: database?.bytes ?? 0,
  }
}

/** Files come and go while they are counted: a deleted one has no size. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nothingThere)
  let bytes = 0
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(nothingThere))?.size ?? 0
  }
  return bytes
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** A database and a folder of its own for one ingest bench, with the default settings; both are removed afterwards. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../../src/db/db.ts'
import { startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { migrate } from '../../src/db/migrate.ts'

export interface IngestBench {
  readonly db: Db
  readonly databaseUrl: string
  /** For snapshots. */
  readonly folder: string
}

export async function withIngestBench(work: (bench: IngestBench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'panji-bench-'))
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedServer({ dataDir: folder })
  const db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-bench' })
  try {
    await migrate(db)
    await db.execute('CREATE SCHEMA bench')
    await work({ db, databaseUrl: server.databaseUrl, folder })
  } finally {
    await db.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

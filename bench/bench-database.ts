/**
 * The database of a bench: an embedded server with the default settings, migrated and empty or with generated
 * registers. It is removed afterwards unless a folder is named: then it stays there, and a later bench with the same
 * sizes skips the seeding.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../src/db/db.ts'
import { startEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { type RegisterSizes, seedRegisters } from './seed/registers.ts'

export interface BenchDatabase {
  readonly databaseUrl: string
  readonly db: Db
  /** Holds the server's data; a bench may put its own files next to it. */
  readonly folder: string
}

export async function withEmptyDatabase<T>(
  kept: string | undefined,
  work: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'panji-bench-'))
  mkdirSync(folder, { recursive: true })
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(folder, 0o755)
  const { databaseUrl, stop } = await startEmbeddedServer({ dataDir: folder })
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench-seed' })
  try {
    await migrate(db)
    return await work({ databaseUrl, db, folder })
  } finally {
    await db.close()
    await stop()
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

export const withBenchDatabase = <T>(
  sizes: RegisterSizes,
  kept: string | undefined,
  work: (database: BenchDatabase) => Promise<T>,
): Promise<T> =>
  withEmptyDatabase(kept, async (database) => {
    await seedOnce(database.db, sizes, join(database.folder, 'seeded.json'))
    return work(database)
  })

async function seedOnce(db: Db, sizes: RegisterSizes, marker: string): Promise<void> {
  const wanted = JSON.stringify(sizes)
  if (existsSync(marker)) {
    const seeded = readFileSync(marker, 'utf8')
    if (seeded !== wanted) throw new Error(`the folder holds ${seeded}; name another one for ${wanted}`)
    return
  }
  const started = performance.now()
  await seedRegisters(db, sizes)
  writeFileSync(marker, wanted)
  console.error(`seeded ${wanted} in ${Math.round((performance.now() - started) / 1000)} s`)
}

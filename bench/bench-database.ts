/**
 * The database of a serving bench: an embedded server with the default settings and generated registers. It is removed
 * afterwards, unless a folder is named: then it stays there, and a later bench with the same sizes skips the seeding.
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
}

export async function withBenchDatabase<T>(
  sizes: RegisterSizes,
  folder: string | undefined,
  work: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'panji-bench-'))
  mkdirSync(dataDir, { recursive: true })
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedServer({ dataDir })
  const db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-bench-seed' })
  try {
    await migrate(db)
    await seedOnce(db, sizes, join(dataDir, 'seeded.json'))
    return await work({ databaseUrl: server.databaseUrl, db })
  } finally {
    await db.close()
    await server.stop()
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

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

/**
 * A world in its own database on the bench's server: its files are written, and each night its registers are loaded and
 * their words counted.
 */
import { join } from 'node:path'
import { planSnapshots } from '../../sample/generate-snapshots.ts'
import { generateReferenceSnapshots } from '../../sample/reference-snapshots.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { entityTypes } from '../../src/domain/identity.ts'
import { collectNameWords } from '../../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../../src/ingest/after/word-counts.ts'
import { endLostRuns } from '../../src/ingest/conduct/lost-runs.ts'
import type { BenchDatabase } from '../bench-database.ts'
import { secondsOf } from '../ingest/panji-run.ts'
import { fileOf, type Night, writeFiles } from './files.ts'
import { sayFiles, sayLoad } from './lines.ts'
import { load } from './load.ts'
import { readSizes } from './sizes.ts'
import type { Steps } from './steps.ts'
import { registers, type World } from './world.ts'

export interface WorldDatabase {
  readonly db: Db
  readonly databaseUrl: string
  /** Loads the files of a night that are not loaded yet. */
  load(night: Night): Promise<void>
}

export async function withWorld<T>(
  server: BenchDatabase,
  world: World,
  files: string,
  steps: Steps,
  work: (database: WorldDatabase) => Promise<T>,
): Promise<T> {
  const [there] = await server.db.query('SELECT FROM pg_database WHERE datname = $1', [world.name])
  if (!there) await server.db.execute(`CREATE DATABASE ${world.name}`)
  const databaseUrl = server.databaseUrl.replace(/[^/]+$/, world.name)
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench-country' })
  try {
    await migrate(db)
    const opened = { into: { db, databaseUrl, folder: server.folder }, world, files, steps }
    await writeWorld(world, files, steps)
    await loadLists(opened)
    return await work({ db, databaseUrl, load: (night) => loadNight(opened, night) })
  } finally {
    await db.close()
  }
}

async function writeWorld(world: World, files: string, steps: Steps): Promise<void> {
  for (const register of registers) {
    await steps.once(`${world.name}: files of ${register}`, async () => {
      const plan = planSnapshots({ ...world, seed: 'country' }).find(({ source }) => source === register)
      if (!plan) throw new Error(`the world has no ${register}`)
      return sayFiles(register, await writeFiles(files, world.name, plan))
    })
  }
}

interface Opened {
  readonly into: Parameters<typeof load>[0]
  readonly world: World
  readonly files: string
  readonly steps: Steps
}

/** The directories of places and descriptions that are looked up while a register is read. */
async function loadLists({ into, world, files, steps }: Opened): Promise<void> {
  // A load that an earlier run left unfinished is started again.
  await endLostRuns(into.db)
  const { files: lists } = await generateReferenceSnapshots(join(files, 'lists'))
  for (const { source, path } of lists) await steps.once(`${world.name}: ${source}`, () => load(into, source, path))
  await steps.once(`${world.name}: empty`, () => readSizes(into.db))
}

async function loadNight({ into, world, files, steps }: Opened, night: Night): Promise<void> {
  const step = <R extends object>(name: string, work: () => Promise<R>) =>
    steps.once(`${world.name}: ${night} ${name}`, work)
  for (const register of registers) {
    const path = fileOf(files, world.name, register, night)
    await step(register, async () => sayLoad(`${night} ${register}`, await load(into, register, path)))
  }
  await step('words', () => countWords(into.db))
  await step('sizes', () => readSizes(into.db))
}

/** The jobs that follow an import. */
async function countWords(db: Db): Promise<{ readonly seconds: number }> {
  const seconds = await secondsOf(async () => {
    for (const entity of entityTypes) {
      await collectNameWords(db, entity)
      await collectHeldWords(db, entity)
    }
  })
  return { seconds }
}

/** Rounds of load on several servers over one seeded database, in turn, so that what else the machine does meets all alike. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../src/db/db.ts'
import { startEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { type LoadRequest, type LoadResult, runLoad } from './http-load.ts'
import { type RunningTarget, startInThread, type TargetOptions } from './server-thread.ts'

export interface Contender {
  readonly module: URL
  readonly options?: TargetOptions
  readonly request: (n: number) => LoadRequest
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

export interface Measured {
  /** The round of median throughput. */
  readonly median: LoadResult
  readonly rounds: readonly LoadResult[]
}

/** A database of its own, with the default settings of the embedded server, removed afterwards. */
export async function withBenchDatabase<T>(
  seed: (db: Db) => Promise<void>,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-bench-'))
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  const database = await startEmbeddedServer({ dataDir })
  try {
    const db = openDb({ connectionString: database.databaseUrl, applicationName: 'panji-bench-seed' })
    await migrate(db)
    await seed(db)
    await db.close()
    return await work(database.databaseUrl)
  } finally {
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export async function measureSideBySide<Name extends string>(
  databaseUrl: string,
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, seconds, connections }: Rounds,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(contenders) as Name[]
  const running = new Map<Name, RunningTarget>()
  const results = new Map<Name, LoadResult[]>(names.map((name) => [name, []]))
  for (const name of names) {
    const { module, options } = contenders[name]
    running.set(name, await startInThread(module, databaseUrl, options))
  }
  const measure = async (name: Name, duration: number): Promise<LoadResult> => {
    const { origin = '', callers = [] } = running.get(name) ?? {}
    return runLoad({ origin, callers, connections, seconds: duration, request: contenders[name].request })
  }
  for (const name of names) await measure(name, 1)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results.get(name)?.push(await measure(name, seconds))
  }
  await Promise.all([...running.values()].map((server) => server.stop()))
  return Object.fromEntries(names.map((name) => [name, summary(results.get(name) ?? [])])) as Record<Name, Measured>
}

function summary(rounds: readonly LoadResult[]): Measured {
  const median = rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)]
  if (!median) throw new Error('a bench needs at least one round')
  return { median, rounds }
}

/** Median over the rounds of a value against the same round of the yardstick: what disturbs a round disturbs both. */
export function ratioOf(measured: Measured, yardstick: Measured, value: (round: LoadResult) => number): number {
  const ratios = measured.rounds.map((round, index) => value(round) / value(yardstick.rounds[index] ?? round))
  return Math.round((ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN) * 100) / 100
}

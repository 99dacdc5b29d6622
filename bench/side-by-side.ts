/**
 * Rounds of load on several servers over one seeded database, alternating, so that other work of the machine affects
 * all alike.
 */
import { type LoadRequest, type LoadResult, runLoad } from './http-load.ts'
import { type RunningTarget, startInThread, type TargetOptions } from './server-thread.ts'

/** Contenders of one module with the same options share a server. */
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

export async function measureSideBySide<Name extends string>(
  databaseUrl: string,
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, seconds, connections }: Rounds,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(contenders) as Name[]
  const running = new Map<string, RunningTarget>()
  const serverOf = ({ module, options }: Contender): string => JSON.stringify([module.href, options])
  const results = new Map<Name, LoadResult[]>(names.map((name) => [name, []]))
  for (const name of names) {
    const { module, options } = contenders[name]
    const server = serverOf(contenders[name])
    if (!running.has(server)) running.set(server, await startInThread(module, databaseUrl, options))
  }
  const measure = async (name: Name, duration: number): Promise<LoadResult> => {
    const { origin = '', callers = [] } = running.get(serverOf(contenders[name])) ?? {}
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

/**
 * Median over the rounds of a value divided by the baseline's of the same round: what disturbs a round disturbs both.
 */
export function ratioOf(measured: Measured, yardstick: Measured, value: (round: LoadResult) => number): number {
  const ratios = measured.rounds.map((round, index) => value(round) / value(yardstick.rounds[index] ?? round))
  return Math.round((ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN) * 100) / 100
}

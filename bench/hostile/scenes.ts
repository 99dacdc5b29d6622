/**
 * One server under its attackers: a paying customer's details and /readyz at rest, with the attackers' processes there and
 * silent; while the hostile accounts search; and with the strangers besides. For each: what the processors did.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningPart, startApart } from '../own-process.ts'
import type { TargetServer } from '../server-thread.ts'
import { askForDetails, type Customer } from './paying-customer.ts'

export interface Scene {
  /** Where an answer to the customer was no 200, what it was. */
  readonly customer: Customer | string
  /** Shares of one processor that each took; `database` with all its processes. */
  readonly processors: Readonly<Record<string, number>>
  /** Delays of the server's event loop. */
  readonly loop: unknown
}

export interface Attacked {
  readonly idle: Scene
  readonly accounts: Scene
  readonly crowd: Scene
  readonly answersToAccounts: unknown
  readonly answersToStrangers: unknown
}

/** What they take while they begin is not what the customer meets from then on. */
const warmUpMs = 1_000

export interface Stage {
  readonly server: RunningPart<TargetServer>
  readonly databaseSeconds: () => number
  readonly cins: readonly string[]
  readonly seconds: number
  readonly strangers: number
}

export async function attack(stage: Stage): Promise<Attacked> {
  const { server, strangers } = stage
  const accounts = await startApart(new URL('dear-accounts.ts', import.meta.url), server.told)
  const crowd = await startApart(new URL('stranger-acts.ts', import.meta.url), {
    origin: server.told.origin,
    acts: 'all',
    connections: strangers,
  })
  const parts = { server, accounts, strangers: crowd }
  const idle = await sceneOf(stage, parts)
  accounts.begin()
  await delay(warmUpMs)
  const underAccounts = await sceneOf(stage, parts)
  crowd.begin()
  await delay(warmUpMs)
  const underAll = await sceneOf(stage, parts)
  return {
    idle,
    accounts: underAccounts,
    crowd: underAll,
    answersToStrangers: await crowd.stop(),
    answersToAccounts: await accounts.stop(),
  }
}

async function sceneOf(
  { server, databaseSeconds, cins, seconds }: Stage,
  parts: Readonly<Record<string, RunningPart<unknown>>>,
): Promise<Scene> {
  const names = Object.keys(parts)
  const usages = () => Promise.all(Object.values(parts).map((part) => part.usage()))
  const before = await usages()
  const databaseBefore = databaseSeconds()
  const begun = performance.now()
  const customer = await askForDetails(server.told, cins, seconds).catch((error: Error) => error.message)
  const wall = (performance.now() - begun) / 1000
  const database = databaseSeconds() - databaseBefore
  const after = await usages()
  const share = (used: number) => Math.round((used / wall) * 100) / 100
  const shares = names.map((name, n) => [name, share((after[n]?.cpuSeconds ?? 0) - (before[n]?.cpuSeconds ?? 0))])
  return {
    customer,
    processors: { ...Object.fromEntries(shares), database: share(database) },
    loop: after[names.indexOf('server')]?.more,
  }
}

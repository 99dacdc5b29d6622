/**
 * One server under attack: a paying customer's details and /readyz during searches by hostile accounts, during one that
 * sends bodies, during anonymous clients, and during all of them; each compared with the same at rest just before. For
 * each scene also the use of the processors.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningPart, startApart } from '../own-process.ts'
import type { TargetServer } from '../server-thread.ts'
import { askForDetails, type Customer } from './paying-customer.ts'

export interface Scene {
  /** Why an answer to the customer did not arrive. */
  readonly customer: Customer | string
  /** Shares of one processor; `database` with all its processes. */
  readonly processors: Readonly<Record<string, number>>
  /** Delays of the server's event loop. */
  readonly loop: unknown
  /** The server's reactions, by attacker. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const attacks = {
  searches: ['searches'],
  bodies: ['bodies'],
  anonymous: ['anonymous'],
  all: ['searches', 'bodies', 'anonymous'],
} as const
export type AttackName = keyof typeof attacks
const attackNames = Object.keys(attacks) as readonly AttackName[]
type AttackerName = (typeof attacks)[AttackName][number]

/** A machine's speed changes from minute to minute: each attack is compared with the rest just before it. */
export interface Round {
  readonly idle: Scene
  readonly attack: Scene
}
export type Attacked = Readonly<Partial<Record<AttackName, Round>>>

/** Excludes the start of the attackers, which the customer does not meet later. */
const warmUpMs = 1_000

export interface Stage {
  readonly server: RunningPart<TargetServer>
  readonly databaseSeconds: () => number
  readonly cins: readonly string[]
  readonly seconds: number
  readonly anonymous: number
  /** The one attack to run; all of them by default. */
  readonly only: string | undefined
}

export async function attack(stage: Stage): Promise<Attacked> {
  const roundOf = async (names: readonly AttackerName[]): Promise<Round> => ({
    idle: await sceneOf(stage, []),
    attack: await sceneOf(stage, names),
  })
  const rounds: Partial<Record<AttackName, Round>> = {}
  for (const name of attackNames) {
    if (stage.only === undefined || stage.only === name) rounds[name] = await roundOf(attacks[name])
  }
  return rounds
}

function startAttacker(name: AttackerName, { server, anonymous }: Stage): Promise<RunningPart<unknown>> {
  if (name !== 'anonymous')
    return startApart(new URL('expensive-accounts.ts', import.meta.url), { ...server.setup, act: name })
  const { origin } = server.setup
  return startApart(new URL('anonymous-acts.ts', import.meta.url), { origin, acts: 'all', connections: anonymous })
}

async function sceneOf(stage: Stage, names: readonly AttackerName[]): Promise<Scene> {
  const { server, databaseSeconds, cins, seconds } = stage
  const attackers = new Map<string, RunningPart<unknown>>()
  for (const name of names) attackers.set(name, await startAttacker(name, stage))
  for (const attacker of attackers.values()) attacker.begin()
  await delay(warmUpMs)
  const parts = { server, ...Object.fromEntries(attackers) }
  const usages = () => Promise.all(Object.values(parts).map((part) => part.usage()))
  const before = await usages()
  const databaseBefore = databaseSeconds()
  const begun = performance.now()
  const customer = await askForDetails(server.setup, cins, seconds).catch((error: Error) => error.message)
  const wall = (performance.now() - begun) / 1000
  const database = databaseSeconds() - databaseBefore
  const after = await usages()
  const share = (used: number) => Math.round((used / wall) * 100) / 100
  const shares = Object.keys(parts).map((name, n) => [
    name,
    share((after[n]?.cpuSeconds ?? 0) - (before[n]?.cpuSeconds ?? 0)),
  ])
  const answers: Record<string, unknown> = {}
  for (const [name, attacker] of attackers) answers[name] = await attacker.stop()
  return {
    customer,
    processors: { ...Object.fromEntries(shares), database: share(database) },
    loop: after[0]?.more,
    answers,
  }
}

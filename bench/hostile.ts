/**
 * A paying customer's details, and /readyz, while hostile free accounts search, while one sends the worst bodies of
 * every operation on five connections, while 200 connections from 20 addresses call without a key, and during all of
 * these together: with the walls around expensive reads and without them, each compared with the same server at rest
 * before. `within` says whether the customer's p99 stayed within five times that of the rest before, and every answer
 * was a 200; if it did not with the walls, the bench exits with 1. The attackers run in processes of their own on the
 * same processors, and the processor time of each is reported with the latencies. The cost of the walls is measured by
 * alternating rounds. Takes some five minutes, with `--walled` some three. Prints one JSON document.
 *
 * npm run bench -- hostile [--seconds 10] [--rounds 3] [--companies 200000] [--gst 200000] [--full] [--database
 * FOLDER] [--walled] [--only searches|bodies|anonymous|all] [--profile FOLDER]
 *
 * `--full` fills the registers with 1,000,000 companies and as many GST rows; `--walled` skips the server without
 * walls, and the cost of the walls; `--only` runs one attack; `--profile` writes processor profiles of the server.
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { databaseCpu } from './database-cpu.ts'
import { askForDetails } from './hostile/paying-customer.ts'
import { type Attacked, attack, type Round } from './hostile/scenes.ts'
import { runLoad } from './http-load.ts'
import { median, ratio } from './latency.ts'
import { type RunningPart, startApart } from './own-process.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import type { TargetServer } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    full: { type: 'boolean', default: false },
    walled: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
    ...registerOptions({ companies: 200_000, gst: 200_000, directors: 0 }),
  },
})
if (options.full) Object.assign(options, { companies: '1000000', gst: '1000000' })
const seconds = Number(options.seconds)
const anonymous = 200

interface Measured {
  readonly detailsPerSecond?: readonly { readonly unwalled: number; readonly walled: number }[]
  readonly walled: Attacked
  readonly unwalled?: Attacked
}

const measured = await withBenchDatabase<Measured>(sizesOf(options), options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 100_000)
  const databaseSeconds = await databaseCpu(db)
  const start = (target: string) =>
    startApart<TargetServer>(
      new URL('targets/apart.ts', import.meta.url),
      { target, databaseUrl, accounts: 1 },
      options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
    )
  const detailsPerSecond = async ({ setup: { origin, callers } }: RunningPart<TargetServer>): Promise<number> => {
    const request = (n: number) =>
      ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }) as const
    const load = { origin, callers: callers.slice(0, 1), connections: 32, request }
    return (await runLoad({ ...load, seconds: 4 })).perSecond
  }
  const attacked = (server: RunningPart<TargetServer>) =>
    attack({ server, databaseSeconds, cins, seconds, anonymous, only: options.only })

  const walled = await start('walled')
  await askForDetails(walled.setup, cins, 2)
  if (options.walled) {
    const result = { walled: await attacked(walled) }
    await walled.stop()
    return result
  }
  const unwalled = await start('unwalled')
  await askForDetails(unwalled.setup, cins, 2)
  const costs: { unwalled: number; walled: number }[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    costs.push({ unwalled: await detailsPerSecond(unwalled), walled: await detailsPerSecond(walled) })
  }
  const result = { detailsPerSecond: costs, walled: await attacked(walled), unwalled: await attacked(unwalled) }
  await Promise.all([walled.stop(), unwalled.stop()])
  return result
})

const p99ToIdleMax = 5

function verdictOf({ idle, attack }: Round) {
  const [calm, attacked] = [idle.customer, attack.customer]
  if (typeof calm === 'string' || typeof attacked === 'string') return { within: false, why: [calm, attacked] }
  const p99ToIdle = ratio(attacked.details.p99Ms, calm.details.p99Ms)
  const { others, ready } = attacked
  const within = p99ToIdle <= p99ToIdleMax && Object.keys(others).length === 0
  return { within, p99ToIdle, readyMaxMs: ready.maxMs, others }
}
const verdictsOf = (attacked: Attacked) =>
  Object.fromEntries(Object.entries(attacked).map(([name, round]) => [name, verdictOf(round)]))
const { walled, unwalled, detailsPerSecond: costs } = measured
const walledVerdicts = verdictsOf(walled)
const verdicts = {
  walled: walledVerdicts,
  ...(unwalled && { unwalled: verdictsOf(unwalled) }),
  ...(costs && {
    detailsWithWallsToWithout: ratio(median(costs.map(({ walled, unwalled }) => walled / unwalled)), 1),
  }),
}
console.log(JSON.stringify({ bench: 'hostile', verdicts, ...measured }, null, 2))
process.exitCode = Object.values(walledVerdicts).every(({ within }) => within) ? 0 : 1

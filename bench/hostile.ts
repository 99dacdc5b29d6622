/**
 * A paying customer's details, and /readyz, while hostile free accounts search, send the worst bodies of every operation, while
 * 200 connections from 20 addresses ask without a key, and beside all of these: with the walls of expensive reads, and with these taken down, each beside the same server at rest in the same run.
 * The attackers run in processes of their own, on the same processors; what each took of these stands beside the times. What the
 * walls cost is asked in turns. Prints one JSON document.
 *
 *   npm run bench -- hostile [--seconds 10] [--rounds 3] [--companies 200000] [--gst 200000] [--full] [--database FOLDER]
 *                            [--walled] [--profile FOLDER]
 *
 * `--full` fills the registers with 1,000,000 companies and as many GST rows; `--walled` leaves the server without walls out, and
 * what the walls cost; `--profile` writes what the server's processor time went into.
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { databaseCpu } from './database-cpu.ts'
import { askForDetails } from './hostile/paying-customer.ts'
import { type Attacked, attack, type Scene } from './hostile/scenes.ts'
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
  const detailsPerSecond = async ({ told: { origin, callers } }: RunningPart<TargetServer>): Promise<number> => {
    const request = (n: number) =>
      ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }) as const
    const load = { origin, callers: callers.slice(0, 1), connections: 32, request }
    return (await runLoad({ ...load, seconds: 4 })).perSecond
  }
  const attacked = (server: RunningPart<TargetServer>) => attack({ server, databaseSeconds, cins, seconds, anonymous })

  const walled = await start('walled')
  await askForDetails(walled.told, cins, 2)
  if (options.walled) {
    const result = { walled: await attacked(walled) }
    await walled.stop()
    return result
  }
  const unwalled = await start('unwalled')
  await askForDetails(unwalled.told, cins, 2)
  const costs: { unwalled: number; walled: number }[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    costs.push({ unwalled: await detailsPerSecond(unwalled), walled: await detailsPerSecond(walled) })
  }
  const result = { detailsPerSecond: costs, walled: await attacked(walled), unwalled: await attacked(unwalled) }
  await Promise.all([walled.stop(), unwalled.stop()])
  return result
})

const p99Ratio = ({ customer: idle }: Scene, { customer: attacked }: Scene): number | string | null => {
  if (typeof idle === 'string') return idle
  return typeof attacked === 'string' ? attacked : ratio(attacked.details.p99Ms, idle.details.p99Ms)
}
const readyMs = ({ customer }: Scene): number | null => (typeof customer === 'string' ? null : customer.ready.maxMs)
const ratiosOf = ({ idle, ...attacked }: Attacked) =>
  Object.fromEntries(
    Object.entries(attacked).map(([name, scene]) => [
      name,
      { p99ToIdle: p99Ratio(idle, scene), readyMaxMs: readyMs(scene) },
    ]),
  )
const { walled, unwalled, detailsPerSecond: costs } = measured
const ratios = {
  walled: ratiosOf(walled),
  ...(unwalled && { unwalled: ratiosOf(unwalled) }),
  ...(costs && {
    detailsWithWallsToWithout: ratio(median(costs.map(({ walled, unwalled }) => walled / unwalled)), 1),
  }),
}
console.log(JSON.stringify({ bench: 'hostile', ratios, ...measured }, null, 2))

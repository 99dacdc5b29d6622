/**
 * A paying customer's details, and /readyz, while hostile free accounts do what they can, and then 200 connections without a key
 * beside them: with the walls of dear reads, and with these taken down, each beside the same server at rest in the same run.
 * What the walls cost is asked in turns. Prints one JSON document. Further hostile actors are files of hostile/, started
 * beside the first.
 *
 *   npm run bench -- hostile [--seconds 10] [--rounds 3] [--companies 200000] [--gst 200000] [--full] [--database FOLDER]
 *
 * `--full` fills the registers with 1,000,000 companies and as many GST rows.
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { startDearAccounts } from './hostile/dear-accounts.ts'
import { askForDetails, type Customer } from './hostile/paying-customer.ts'
import { startStrangers } from './hostile/strangers.ts'
import { runLoad } from './http-load.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { type RunningTarget, startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    full: { type: 'boolean', default: false },
    ...registerOptions({ companies: 200_000, gst: 200_000, directors: 0 }),
  },
})
if (options.full) Object.assign(options, { companies: '1000000', gst: '1000000' })
const seconds = Number(options.seconds)
const strangers = 200

const measured = await withBenchDatabase(sizesOf(options), options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 100_000)
  const start = (name: string) => startInThread(new URL(`targets/${name}.ts`, import.meta.url), databaseUrl)
  /** Where an answer is no 200, what it was. */
  const told = (server: RunningTarget) => askForDetails(server, cins, seconds).catch((error: Error) => error.message)
  const detailsPerSecond = async ({ origin, callers }: RunningTarget): Promise<number> => {
    const request = (n: number) =>
      ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }) as const
    const load = { origin, callers: callers.slice(0, 1), connections: 32, request }
    return (await runLoad({ ...load, seconds: 4 })).perSecond
  }
  const attack = async (server: RunningTarget) => {
    const idle = await askForDetails(server, cins, seconds)
    const accounts = startDearAccounts(server)
    const attacked = await told(server)
    const crowd = await startStrangers({ origin: server.origin, acts: 'all', connections: strangers })
    const crowded = await told(server)
    const answersToStrangers = await crowd.stop()
    return { idle, attacked, crowded, answersToAccounts: await accounts.stop(), answersToStrangers }
  }

  const servers = { unwalled: await start('unwalled'), walled: await start('walled') }
  try {
    for (const server of Object.values(servers)) await askForDetails(server, cins, 2)
    const costs: { unwalled: number; walled: number }[] = []
    for (let round = 0; round < Number(options.rounds); round++) {
      costs.push({
        unwalled: await detailsPerSecond(servers.unwalled),
        walled: await detailsPerSecond(servers.walled),
      })
    }
    return { detailsPerSecond: costs, walled: await attack(servers.walled), unwalled: await attack(servers.unwalled) }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
})

const to = (value: number): number => Math.round(value * 1000) / 1000
const p99Ratio = (idle: Customer, attacked: Customer | string): number | string =>
  typeof attacked === 'string' ? attacked : to(attacked.details.p99Ms / idle.details.p99Ms)
const readyMs = (attacked: Customer | string): number | null =>
  typeof attacked === 'string' ? null : attacked.ready.maxMs
const costs = measured.detailsPerSecond.map(({ walled, unwalled }) => walled / unwalled).toSorted((a, b) => a - b)
const { walled, unwalled } = measured
const ratios = {
  walledP99ToIdle: p99Ratio(walled.idle, walled.attacked),
  walledP99ToIdleWithStrangers: p99Ratio(walled.idle, walled.crowded),
  unwalledP99ToIdle: p99Ratio(unwalled.idle, unwalled.attacked),
  walledReadyMaxMs: readyMs(walled.attacked),
  walledReadyMaxMsWithStrangers: readyMs(walled.crowded),
  detailsWithWallsToWithout: to(costs[Math.floor(costs.length / 2)] ?? Number.NaN),
}
console.log(JSON.stringify({ bench: 'hostile', ratios, ...measured }, null, 2))

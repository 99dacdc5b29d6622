/**
 * A paying customer's details, and /readyz, while hostile free accounts do what they can: with the walls of dear reads,
 * and with these taken down, each beside the same server at rest in the same run. Prints one JSON document. Further
 * hostile actors are files of hostile/, started beside the first.
 *
 *   npm run bench -- hostile [--seconds 10] [--companies 1000000] [--database FOLDER]
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { startDearAccounts } from './hostile/dear-accounts.ts'
import { askForDetails } from './hostile/paying-customer.ts'
import { runLoad } from './http-load.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    ...registerOptions({ companies: 1_000_000, gst: 1_000_000, directors: 0 }),
  },
})
const seconds = Number(options.seconds)

const measured = await withBenchDatabase(sizesOf(options), options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 100_000)
  const measure = async (name: string) => {
    const server = await startInThread(new URL(`targets/${name}.ts`, import.meta.url), databaseUrl)
    try {
      await askForDetails(server, cins, 2)
      const idle = await askForDetails(server, cins, seconds)
      const { perSecond } = await runLoad({
        origin: server.origin,
        callers: server.callers.slice(0, 1),
        connections: 32,
        seconds,
        request: (n) => ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }),
      })
      const hostility = startDearAccounts(server)
      const attacked = await askForDetails(server, cins, seconds).catch((error: Error) => error.message)
      const answers = await hostility.stop()
      return { idle, detailsPerSecond: perSecond, attacked, answersToTheHostile: answers }
    } finally {
      await server.stop()
    }
  }
  return { unwalled: await measure('unwalled'), walled: await measure('walled') }
})

const p99Ratio = ({ idle, attacked }: typeof measured.walled): number | string =>
  typeof attacked === 'string' ? attacked : Math.round((attacked.details.p99Ms / idle.details.p99Ms) * 100) / 100
const ratios = {
  walledP99ToIdle: p99Ratio(measured.walled),
  unwalledP99ToIdle: p99Ratio(measured.unwalled),
  detailsWithWallsToWithout:
    Math.round((measured.walled.detailsPerSecond / measured.unwalled.detailsPerSecond) * 1000) / 1000,
}
console.log(JSON.stringify({ bench: 'hostile', ratios, ...measured }, null, 2))

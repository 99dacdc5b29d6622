/**
 * Details requests per second compared with a bare Fastify + pg route over the same table, in one run. Prints one JSON
 * document with three ratios: the whole server with all load on one account (its counters are one hot row each), with
 * the load spread over many accounts, and the route alone without authentication and limits.
 *
 * npm run bench -- details [--seconds 4] [--rounds 5] [--connections 32] [--companies 1000000] [--accounts 200]
 * [--database FOLDER]
 */
import { parseArgs } from 'node:util'
import { withBenchDatabase } from './bench-database.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { type Measured, measureSideBySide, ratioOf } from './side-by-side.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    accounts: { type: 'string', default: '200' },
    ...registerOptions({ companies: 1_000_000, gst: 0, directors: 0 }),
  },
})
const sizes = sizesOf(options)
const target = (name: string) => new URL(`targets/${name}.ts`, import.meta.url)

const measured = await withBenchDatabase(sizes, options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 100_000)
  /** Scattered over the table, the same sequence for every server. */
  const request = (n: number) =>
    ({ method: 'GET', path: `/api/company/details?cin=${cins[(n * 7919) % cins.length]}` }) as const
  return measureSideBySide(
    databaseUrl,
    {
      bare: { module: target('bare-details'), request },
      routes: { module: target('details-routes'), request },
      oneAccount: { module: target('full'), request, options: { accounts: 1 } },
      manyAccounts: { module: target('full'), request, options: { accounts: Number(options.accounts) } },
    },
    { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: Number(options.connections) },
  )
})
const { bare, routes, oneAccount, manyAccounts } = measured
const ratioToBare = (measured: Measured) => ratioOf(measured, bare, ({ perSecond }) => perSecond)
const ratios = {
  oneAccount: ratioToBare(oneAccount),
  manyAccounts: ratioToBare(manyAccounts),
  routes: ratioToBare(routes),
}
console.log(JSON.stringify({ bench: 'details', ratios, ...measured }, null, 2))

/**
 * The first page of the company feed with its exact total, through the whole server, beside a bare Fastify + pg route
 * that reads the same page by its index without a total. Prints one JSON document with the ratio of the p99 times.
 *
 *   npm run bench -- feeds [--seconds 4] [--rounds 5] [--connections 16] [--companies 999999] [--accounts 50]
 */
import { parseArgs } from 'node:util'
import { seedCompanies } from './seed-companies.ts'
import { measureSideBySide, ratioOf, withBenchDatabase } from './side-by-side.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    companies: { type: 'string', default: '999999' },
    accounts: { type: 'string', default: '50' },
  },
})

const request = () =>
  ({ method: 'POST', path: '/api/recently-registered/companies', body: { page: 1, limit: 10 } }) as const

const measured = await withBenchDatabase(
  (db) => seedCompanies(db, Number(options.companies)),
  (databaseUrl) =>
    measureSideBySide(
      databaseUrl,
      {
        bare: { module: new URL('targets/bare-feed.ts', import.meta.url), request },
        panji: {
          module: new URL('targets/full.ts', import.meta.url),
          request,
          options: { accounts: Number(options.accounts) },
        },
      },
      { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: Number(options.connections) },
    ),
)
const { bare, panji } = measured
const ratios = {
  p99: ratioOf(panji, bare, ({ p99Ms }) => p99Ms),
  p50: ratioOf(panji, bare, ({ p50Ms }) => p50Ms),
  perSecond: ratioOf(panji, bare, ({ perSecond }) => perSecond),
}
console.log(JSON.stringify({ bench: 'feeds', ratios, ...measured }, null, 2))

/**
 * Details requests per second beside a bare Fastify + pg route over the same table, in one run. Prints one JSON
 * document with three ratios: the whole server with all load on one account (its counters are one hot row each),
 * with the load spread over many accounts, and the route alone without authentication and limits.
 *
 *   npm run bench -- details [--seconds 4] [--rounds 5] [--connections 32] [--companies 900000] [--accounts 200]
 */
import { parseArgs } from 'node:util'
import type { Db } from '../src/db/db.ts'
import { measureSideBySide, ratioOf, withBenchDatabase } from './side-by-side.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    companies: { type: 'string', default: '900000' },
    accounts: { type: 'string', default: '200' },
  },
})
const companies = Number(options.companies)

async function seed(db: Db): Promise<void> {
  await db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, status, class, category, authorised_capital,
       paid_up_capital, incorporated_on, registered_address, city, state, pincode, nic_code, nic_description,
       first_run_id, last_run_id, as_of)
     SELECT 'U62011GA2022PTC' || lpad(n::text, 6, '0'), 'Company', 'BENCH COMPANY ' || n || ' PRIVATE LIMITED', 'bench company ' || n,
       'Active', 'Private', 'Company limited by shares', 1000000, 100000, '2022-01-01', n || ', Church Road, Panaji, Goa',
       'Panaji', 'Goa', '403001', 62011, 'Writing, modifying, testing of computer program', 1, 1, '2025-01-01'
     FROM generate_series(1, $1::int) AS n`,
    [companies],
  )
  await db.execute('VACUUM ANALYZE registry.company')
}

/** Scattered over the table, the same sequence for every server. */
const request = (n: number) => {
  const number = String(((n * 7919) % companies) + 1).padStart(6, '0')
  return { method: 'GET', path: `/api/company/details?cin=U62011GA2022PTC${number}` } as const
}
const target = (name: string) => new URL(`targets/${name}.ts`, import.meta.url)

const measured = await withBenchDatabase(seed, (databaseUrl) =>
  measureSideBySide(
    databaseUrl,
    {
      bare: { module: target('bare-details'), request },
      routes: { module: target('details-routes'), request },
      oneAccount: { module: target('full'), request, options: { accounts: 1 } },
      manyAccounts: { module: target('full'), request, options: { accounts: Number(options.accounts) } },
    },
    { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: Number(options.connections) },
  ),
)
const { bare, routes, oneAccount, manyAccounts } = measured
const ratioToBare = ({ median }: typeof bare) => ratioOf(median.perSecond, bare.median.perSecond)
const ratios = {
  oneAccount: ratioToBare(oneAccount),
  manyAccounts: ratioToBare(manyAccounts),
  routes: ratioToBare(routes),
}
console.log(JSON.stringify({ bench: 'details', ratios, ...measured }, null, 2))

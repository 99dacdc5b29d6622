/**
 * Details requests per second beside a bare Fastify + pg route over the same table, in one run: the rounds alternate
 * and the medians are compared. Prints one JSON document.
 *
 *   node bench/details.ts [--seconds 4] [--rounds 3] [--connections 32] [--companies 100000] [--target FILE]
 *
 * FILE is a module that exports `startTarget` (see server-thread.ts); without it the routes alone are measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openDb } from '../src/db/db.ts'
import { startEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { type LoadResult, runLoad } from './http-load.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    companies: { type: 'string', default: '100000' },
    target: { type: 'string' },
  },
})
const companies = Number(options.companies)
const target = options.target
  ? pathToFileURL(resolve(options.target))
  : new URL('targets/details-routes.ts', import.meta.url)

async function seed(databaseUrl: string): Promise<void> {
  const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-bench-seed' })
  await migrate(db)
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
  await db.close()
}

/** Scattered over the table, the same sequence for both servers. */
const path = (n: number) =>
  `/api/company/details?cin=U62011GA2022PTC${String(((n * 7919) % companies) + 1).padStart(6, '0')}`

const median = (rounds: readonly LoadResult[]): LoadResult | undefined =>
  rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)]

const dataDir = mkdtempSync(join(tmpdir(), 'panji-bench-'))
const database = await startEmbeddedServer({ dataDir })
try {
  await seed(database.databaseUrl)
  const bare = await startInThread(new URL('targets/bare-details.ts', import.meta.url), database.databaseUrl)
  const panji = await startInThread(target, database.databaseUrl)
  const measure = (server: typeof bare, seconds: number) =>
    runLoad({ origin: server.origin, headers: server.headers, connections: Number(options.connections), seconds, path })

  await measure(bare, 1)
  await measure(panji, 1)
  const rounds = { bare: [] as LoadResult[], panji: [] as LoadResult[] }
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.bare.push(await measure(bare, Number(options.seconds)))
    rounds.panji.push(await measure(panji, Number(options.seconds)))
  }
  await Promise.all([bare.stop(), panji.stop()])
  const [bareMedian, panjiMedian] = [median(rounds.bare), median(rounds.panji)]
  const ratio = Math.round(((panjiMedian?.perSecond ?? 0) / (bareMedian?.perSecond ?? 1)) * 100) / 100
  console.log(JSON.stringify({ bench: 'details', ratio, bare: bareMedian, panji: panjiMedian, rounds }, null, 2))
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

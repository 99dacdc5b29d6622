/**
 * Details during a merge of 1,000,000 rows: the same calls at the same fixed rate, first with the database idle, then
 * during a whole run that adds as many companies as there are, on the ordinary path for a register in use.
 *
 * npm run bench -- reads [--rows 1000000] [--rate 100]
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { type Pace, paceCalls } from './ingest/paced-calls.ts'
import { ingestCompanies } from './ingest/panji-run.ts'
import { startInThread } from './server-thread.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rate: { type: 'string', default: '100' } },
})
const rows = Number(values.rows)

await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
  const path = join(folder, 'companies.csv')
  await writeCompanies(path, { rows })
  await ingestCompanies(databaseUrl, path, { folder })
  await db.execute('VACUUM ANALYZE registry.company')
  await db.execute('CHECKPOINT')
  const cins = await db.query<{ cin: string }>('SELECT cin FROM registry.company TABLESAMPLE SYSTEM (1) LIMIT 5000')
  await writeCompanies(path, { rows, seed: 4711 })
  const server = await startInThread(new URL('targets/full.ts', import.meta.url), databaseUrl, { accounts: 20 })
  const pace: Pace = {
    ...server,
    perSecond: Number(values.rate),
    path: (n) => `/api/company/details?cin=${cins[(n * 7919) % cins.length]?.cin}`,
  }
  await paceCalls(pace, delay(5000))
  const idle = await paceCalls(pace, delay(20_000))
  const run = ingestCompanies(databaseUrl, path, { folder, mode: 'delta' })
  const during = await paceCalls(pace, run)
  const outcome = await run
  await server.stop()
  const ratio = Math.round((during.p99Ms / idle.p99Ms) * 100) / 100
  console.log(JSON.stringify({ bench: 'reads', rows, ratios: { p99: ratio }, idle, during, run: outcome }, null, 2))
})

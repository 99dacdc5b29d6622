/**
 * After an import of 0.1 % new rows every standing order is evaluated: the job's evaluation, compared round by round
 * with one statement that an expert writes over the same history with the same conditions; then the matches are bought
 * and delivered to a sandbox CRM at its rate limit, and the time from the end of the import to the last answer is
 * measured.
 *
 * npm run bench -- standing-orders [--rows 1000000] [--orders 500] [--rounds 3]
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { connectors } from '../connectors/index.ts'
import { buildJobs } from '../jobs/index.ts'
import { sandboxes } from '../sandboxes/index.ts'
import { startSandboxes } from '../sandboxes/server.ts'
import { addDestination } from '../src/deliver/destinations/destinations.ts'
import { testDestination } from '../src/deliver/destinations/test-destination.ts'
import { Secret } from '../src/domain/secret.ts'
import { AppError } from '../src/errors.ts'
import { startQueue } from '../src/queue/queue.ts'
import { startWorker } from '../src/queue/worker.ts'
import { evaluateImport } from '../src/standing/evaluate-import.ts'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { ingestCompanies, median, medianRatio, secondsOf } from './ingest/panji-run.ts'
import {
  askByHand,
  conditions,
  makeContacts,
  makeStandingOrders,
  matchesOf,
  newestRun,
  stillBuying,
  unsent,
} from './standing/world.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    orders: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
  },
})
const rows = Number(values.rows)
const rounds = Math.min(5, Number(values.rounds))
const asked = conditions(Math.min(5_000, Number(values.orders)))
const secretKey = new Secret('the secret key of benches')
const unsentSecondsMax = 300

await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
  const path = join(folder, 'companies.csv')
  await writeCompanies(path, { rows })
  await ingestCompanies(databaseUrl, path, { folder })
  console.error(`${rows} companies imported`)
  const server = await startSandboxes(sandboxes(), { port: 0 })
  const queue = await startQueue({ connectionString: databaseUrl, role: undefined, supervise: true, onError: () => {} })
  const stopping = new AbortController()
  try {
    const accountIds = await makeStandingOrders(db, asked, async (accountId) => {
      const given = { accountId, connector: 'hubspot', name: 'Sandbox', settings: server.settings('hubspot') }
      const { destination_id: id } = await addDestination(db, connectors, secretKey, given)
      // As when a CRM is connected: its fields exist before the first night.
      await asSoonAsAllowed(() => testDestination({ db, connectors, secretKey }, id, stopping.signal))
      return id
    })
    console.error(`${asked.length} standing orders of ${accountIds.length} accounts`)
    const panji: number[] = []
    const byHand: number[] = []
    let runId = 0
    for (let round = 0; round < rounds; round++) {
      const grown = Math.round(rows * (1 + 0.001 * (round + 1)))
      await writeCompanies(path, { rows: grown })
      await ingestCompanies(databaseUrl, path, { folder, mode: 'delta' })
      runId = await newestRun(db)
      await makeContacts(db, runId)
      panji.push(await secondsOf(() => evaluateImport(db, runId)))
      byHand.push(await secondsOf(() => askByHand(db, asked, runId)))
      console.error(`round ${round + 1}: evaluated ${panji[round]} s, by hand ${byHand[round]} s`)
    }
    const matches = await matchesOf(db, runId)
    // The worker buys and delivers what the last import brought.
    await db.execute(`UPDATE orders.standing_run SET state = 'skipped' WHERE import_run_id IS DISTINCT FROM $1`, [
      runId,
    ])
    const worker = await startWorker({
      ...{ db, queue, log: pino({ level: 'silent' }), signal: stopping.signal },
      jobs: buildJobs({
        ...{ queue, connectors, secretKey, tradeDb: db, dataDir: folder, leadSource: 'Panji', bounds: {} },
        allowPrivateSources: true,
      }),
    })
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started) / 1000
    let boughtSeconds: number | undefined
    while ((await unsent(db, runId)) > 0 && elapsed() < unsentSecondsMax) {
      if (boughtSeconds === undefined && (await stillBuying(db, runId)) === 0) boughtSeconds = elapsed()
      await delay(250)
    }
    const sentSeconds = elapsed()
    const left = await unsent(db, runId)
    stopping.abort(new Error('the bench is over'))
    await worker.stop()
    const result = {
      ...{ bench: 'standing-orders', rows, newRows: Math.round(rows * 0.001), standingOrders: asked.length },
      accounts: accountIds.length,
      matches,
      medianSeconds: { evaluated: median(panji), byHand: median(byHand) },
      ratio: medianRatio(panji, byHand),
      bought: { seconds: boughtSeconds ?? sentSeconds },
      sent: { seconds: sentSeconds, left },
      promised: { evaluatedSecondsMax: 10, ratioMax: 3, sentSecondsMax: 60 },
    }
    console.log(JSON.stringify(result, null, 2))
    const holds = median(panji) <= 10 && result.ratio <= 3 && left === 0 && sentSeconds <= 60
    if (!holds) process.exitCode = 1
  } finally {
    await queue.stop()
    await server.close()
  }
})

/** Connecting fifty CRMs within a minute uses up the rate limit of the one account behind them. */
async function asSoonAsAllowed(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError) || typeof error.retry !== 'object') throw error
    await delay(error.retry.afterMs)
    await asSoonAsAllowed(work)
  }
}

/**
 * Leads delivered to each CRM at the pace its limits allow: a first delivery of many, calls compared with the minimum,
 * memory of the worker, the time from a paid order to its first lead, and from a kill of the worker to the next lead.
 * The sandboxes run in this process and do the counting; worker and database have processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connectors } from '../connectors/index.ts'
import type { Sandbox } from '../sandboxes/contract.ts'
import { startSandboxes } from '../sandboxes/server.ts'
import { heapFlags } from '../src/cli/start/bounded-heap.ts'
import type { Db } from '../src/db/db.ts'
import { addDestination } from '../src/deliver/destinations/destinations.ts'
import { requestPush } from '../src/deliver/push/request-push.ts'
import { Secret } from '../src/domain/secret.ts'
import { startQueue } from '../src/queue/queue.ts'
import { insertOrder } from '../test/integration/deliver/paid-order.ts'
import { withEmptyDatabase } from './bench-database.ts'
import { databaseCpu } from './database-cpu.ts'
import { benchLeads } from './delivery/leads.ts'
import { isRead, type Way, ways } from './delivery/ways.ts'
import type { WorkerUsage } from './delivery/worker.ts'
import { cpuSeconds } from './own-process.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '50000' },
    orders: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    matching: { type: 'boolean', default: false },
  },
})
const leadCount = Number(values.leads)
const smallOrders = Number(values.orders)
const secretKey = new Secret('the secret key of the delivery bench')
const workerFile = fileURLToPath(new URL('delivery/worker.ts', import.meta.url))

const round = (value: number, digits = 2) => Number(value.toFixed(digits))
const perLead = (seconds: number) => round((seconds * 1000) / leadCount, 3)

interface Place {
  readonly db: Db
  readonly databaseUrl: string
  readonly push: (orderId: string, destinationId: string) => Promise<void>
}

await withEmptyDatabase(undefined, async ({ databaseUrl, db }) => {
  const queue = await startQueue({ connectionString: databaseUrl, role: undefined, supervise: true, onError: () => {} })
  const push = async (orderId: string, destinationId: string) => {
    await db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
  }
  try {
    const measured = []
    for (const way of ways.filter(({ name }) => name.startsWith(values.only))) {
      await db.execute('DELETE FROM deliver.limiter')
      const sandbox = way.createSandbox()
      const server = await startSandboxes([sandbox], { port: 0 })
      const accountId = await newAccount(db, way.name)
      const settings = { ...server.settings(way.crm), ...way.settings }
      // The default: how a new destination matches.
      const looks = values.matching ? {} : { askFrom: null }
      const given = { accountId, connector: way.crm, name: way.name, settings, ...looks }
      const { destination_id: destinationId } = await addDestination(db, connectors, secretKey, given)
      try {
        const target = { destinationId, accountId, sandbox, way }
        measured.push({ crm: way.name, ...(await measure({ db, databaseUrl, push }, target)) })
        console.error(JSON.stringify(measured.at(-1)))
      } finally {
        await db.execute(`UPDATE deliver.destination SET status = 'removed'`)
        await server.close()
      }
    }
    console.log(
      JSON.stringify(
        { cores: cpus().length, load: loadavg().map((each) => round(each, 1)), leads: leadCount, measured },
        null,
        2,
      ),
    )
  } finally {
    await queue.stop()
  }
})

interface Target {
  readonly destinationId: string
  readonly accountId: string
  readonly sandbox: Sandbox
  readonly way: Way
}

async function measure(place: Place, target: Target) {
  const { db, push } = place
  const { destinationId, accountId, sandbox, way } = target
  const worker = await startWorker(place.databaseUrl)
  const warm = await insertOrder(db, accountId, benchLeads({ from: 0, count: 1 }))
  await push(warm, destinationId)
  await answered(db, destinationId)

  const many = await insertOrder(db, accountId, benchLeads({ from: 1, count: leadCount }))
  const before = sandbox.calls().length
  const databaseSeconds = await databaseCpu(db)
  const used = async () => ({
    worker: (await toldBy(worker)).cpuSeconds,
    database: databaseSeconds(),
    sandbox: cpuSeconds(),
  })
  const atFirst = await used()
  const started = performance.now()
  await push(many, destinationId)
  await answered(db, destinationId, leadCount - 1)
  const firstSeconds = (performance.now() - started) / 1000
  await answered(db, destinationId)
  const seconds = (performance.now() - started) / 1000
  const atLast = await used()
  const calls = sandbox.calls().slice(before)
  const writes = calls.filter((call) => way.isWrite(call)).length
  const reads = calls.filter(isRead).length
  const least = Math.ceil(leadCount / way.batch)
  const rssMib = Math.round((await toldBy(worker)).peakKib / 1024)

  const waits: number[] = []
  for (let n = 0; n < smallOrders; n += 1) {
    const order = await insertOrder(db, accountId, benchLeads({ from: leadCount + 1 + n, count: 1 }))
    const asked = performance.now()
    await push(order, destinationId)
    await answered(db, destinationId, 0, 10)
    waits.push(performance.now() - asked)
  }

  const total = leadCount + 1 + smallOrders
  const struck = Math.min(10_000, leadCount)
  const last = await insertOrder(db, accountId, benchLeads({ from: total, count: struck }))
  await push(last, destinationId)
  await answered(db, destinationId, struck - 1, 50)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  const killed = performance.now()
  const atKill = await countOpen(db, destinationId)
  const heir = await startWorker(place.databaseUrl)
  await answered(db, destinationId, Math.max(0, atKill - 1), 50)
  const healSeconds = (performance.now() - killed) / 1000
  await answered(db, destinationId)
  heir.kill('SIGTERM')
  await once(heir, 'exit')
  const ids = sandbox
    .records()
    .map((record) => way.externalIdOf(record))
    .filter((id) => id !== undefined && id !== null)
  return {
    leads_per_second: round(leadCount / seconds, 0),
    ...(way.perSecond === null
      ? {}
      : {
          of_allowed: round(leadCount / seconds / (way.perSecond * way.batch)),
          // Reads are calls, too.
          calls_of_allowed: round(calls.length / seconds / way.perSecond),
          // Without the time in which the order becomes desired records.
          of_allowed_once_begun: round(leadCount / (seconds - firstSeconds) / (way.perSecond * way.batch)),
        }),
    seconds: round(seconds, 1),
    seconds_to_first_lead: round(firstSeconds, 1),
    cpu_ms_per_lead: {
      worker: perLead(atLast.worker - atFirst.worker),
      database: perLead(atLast.database - atFirst.database),
      sandbox: perLead(atLast.sandbox - atFirst.sandbox),
    },
    calls: calls.length,
    writes,
    writes_over_least: round(writes / least, 3),
    reads_per_least_write: round(reads / least, 3),
    refused_429: calls.filter(({ status }) => status === 429).length,
    worker_rss_mib: rssMib,
    first_lead_ms: { p50: round(percentile(waits, 0.5), 0), p95: round(percentile(waits, 0.95), 0) },
    heal_seconds: round(healSeconds, 1),
    records_twice: ids.length - new Set(ids).size,
    records_missing: total + struck - new Set(ids).size,
  }
}

async function startWorker(databaseUrl: string): Promise<ChildProcess> {
  const child = fork(workerFile, [databaseUrl], {
    execArgv: [...heapFlags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function toldBy(worker: ChildProcess): Promise<WorkerUsage> {
  worker.send('usage')
  const [usage] = await once(worker, 'message')
  return usage as WorkerUsage
}

async function newAccount(db: Db, name: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO access.account (email, username) VALUES ($1, 'sales') RETURNING account_id AS id`,
    [`${name.replaceAll(/\W/g, '')}@example.com`],
  )
  return row?.id ?? ''
}

/**
 * Read by the index of open records: counting all acknowledged ones would cost more than delivering them. Leads that
 * are not enqueued yet are open, too.
 */
async function countOpen(db: Db, destinationId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM deliver.record
        WHERE destination_id = $1 AND state IN ('pending', 'sending', 'unknown'))::int
      + (SELECT coalesce(sum(purchase.items_count - coalesce(push.enqueued_through + 1, 0)), 0)
        FROM deliver.push JOIN orders.purchase USING (order_id)
        WHERE push.destination_id = $1 AND push.status = 'queued')::int AS count`,
    [destinationId],
  )
  return row?.count ?? 0
}

/** @param count how many may be left without an answer. */
async function answered(db: Db, destinationId: string, count = 0, everyMs = 250): Promise<void> {
  while ((await countOpen(db, destinationId)) > count) await delay(everyMs)
}

function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

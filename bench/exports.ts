/**
 * What exports cost the process that serves them, in a process of its own: its peak memory while a million rows are
 * exported as CSV, JSON and a workbook, and while readers stop reading; and the latency of `/healthz` during sixty
 * concurrent exports, as a ratio to that of an idle server.
 *
 * npm run bench -- exports [--rows 1000000] [--parallel 60] [--database FOLDER]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { heapFlags } from '../src/cli/start/bounded-heap.ts'
import { type BenchDatabase, withEmptyDatabase } from './bench-database.ts'
import { probeHealth } from './health-probe.ts'
import { ratio } from './latency.ts'
import { seedOrders } from './seed/orders.ts'
import type { TargetServer } from './server-thread.ts'
import type { SoakSample } from './soak-server.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    parallel: { type: 'string', default: '60' },
    database: { type: 'string' },
  },
})
const parallel = Number(options.parallel)
const rowsPerOrder = 1000
const formats = ['csv', 'json', 'xlsx'] as const
const restMs = 4_000

async function measure({ databaseUrl, db }: BenchDatabase) {
  const server = fork(fileURLToPath(new URL('soak-server.ts', import.meta.url)), [databaseUrl, '1'], {
    execArgv: [...heapFlags],
  })
  try {
    const [target] = (await once(server, 'message')) as [TargetServer]
    const pool = new Pool(target.origin, { connections: 200, bodyTimeout: 0, headersTimeout: 0 })
    const headers = target.callers[0] ?? {}
    const ids = await seedOrders(db, Math.ceil(Number(options.rows) / rowsPerOrder), rowsPerOrder)
    const begin = (format: string, orders: readonly string[]) =>
      pool.request({
        method: 'POST',
        path: '/api/orders/export',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ order_ids: orders, format }),
      })
    const read = async (format: string, orders: readonly string[]): Promise<number> => {
      const { statusCode, body } = await begin(format, orders)
      let bytes = 0
      for await (const chunk of body) bytes += (chunk as Buffer).length
      if (statusCode !== 200) throw new Error(`the export answered ${statusCode}`)
      return bytes
    }
    for (const format of formats) await read(format, ids.slice(0, 2))
    const atRest = await probeHealth(target.origin, delay(restMs))
    const { peakRssMib: baseMib } = await ask(server)
    const grown: Record<string, number> = {}
    const note = async (phase: string) => {
      const sample = await ask(server)
      grown[phase] = Math.round((sample.peakRssMib - baseMib) * 10) / 10
      console.error(`${phase}: peak of resident memory ${grown[phase]} MiB above ${baseMib}`)
      return sample
    }
    const mib: Record<string, number> = {}
    for (const format of formats) {
      mib[format] = Math.round((await read(format, ids)) / 2 ** 20)
      await note(`one ${format}`)
    }
    const each = Math.min(4, ids.length)
    const started = performance.now()
    const running = Array.from({ length: parallel }, (_, n) =>
      read(formats[n % formats.length] ?? 'csv', ids.slice(0, each)),
    )
    const beside = await probeHealth(target.origin, Promise.all(running))
    const rowsPerSecond = Math.round((parallel * each * rowsPerOrder * 1000) / (performance.now() - started))
    const { loopP50Ms, loopP99Ms, loopMaxMs } = await note(`${parallel} at once`)
    const stalled = await Promise.all(
      Array.from({ length: parallel }, (_, n) => begin(formats[n % formats.length] ?? 'csv', ids)),
    )
    await delay(3_000)
    await note(`${parallel} that nobody reads`)
    for (const { body } of stalled) body.destroy()
    await pool.destroy()
    const p99Ratio = ratio(beside.p99Ms, atRest.p99Ms)
    return {
      bench: 'exports',
      rows: Number(options.rows),
      mib,
      baseMib,
      peakRssGrowthMib: grown,
      rowsPerSecond,
      healthz: { atRest, beside, p99Ratio, serverLoop: { loopP50Ms, loopP99Ms, loopMaxMs } },
    }
  } finally {
    server.disconnect()
  }
}

async function ask(child: ChildProcess): Promise<SoakSample> {
  const answered = once(child, 'message')
  child.send('sample')
  const [answer] = (await answered) as [SoakSample]
  return answer
}

console.log(JSON.stringify(await withEmptyDatabase(options.database, measure), null, 2))

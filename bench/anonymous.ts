/**
 * What anonymous clients cost a paying customer: details a second on an idle server, and the same calls while anonymous
 * clients load it. Two scenes: connections that request the script of the reference page over and over, and a crowd
 * that does everything an anonymous client can. Prints one JSON document with latencies, their ratio, and the slowest
 * /readyz.
 *
 * npm run bench -- anonymous [--connections 200] [--seconds 8] [--companies 20000] [--full] [--database FOLDER]
 *
 * `--full` uses a register of 1,000,000 companies.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { withBenchDatabase } from './bench-database.ts'
import type { AnonymousData } from './hostile/anonymous-acts.ts'
import { startApart } from './own-process.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '8' },
    full: { type: 'boolean', default: false },
    ...registerOptions({ companies: 20_000, gst: 0, directors: 0 }),
  },
})
if (options.full) options.companies = '1000000'
const seconds = Number(options.seconds)

const result = await withBenchDatabase(sizesOf(options), options.database, async ({ databaseUrl, db }) => {
  const cins = await companyIds(db, 1_000)
  const server = await startInThread(new URL('./targets/full.ts', import.meta.url), databaseUrl)
  const customer = new Pool(server.origin, { connections: 1, pipelining: 1, headersTimeout: 60_000 })
  /** The customer's answers other than 200: the aim is none. */
  let refused: Record<string, number> = {}
  const timed = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
    const begun = performance.now()
    const reply = await customer.request({ method: 'GET', path, headers })
    await reply.body.dump()
    const answer = `${path.split('?')[0]} ${reply.statusCode}`
    if (reply.statusCode !== 200) refused[answer] = (refused[answer] ?? 0) + 1
    return performance.now() - begun
  }
  /** The customer's calls, at most ten a second. */
  const measured = async () => {
    const details: number[] = []
    const ready: number[] = []
    refused = {}
    const until = performance.now() + seconds * 1_000
    for (let n = 0; performance.now() < until; n++) {
      details.push(await timed(`/api/company/details?cin=${cins[n % cins.length]}`, server.callers[0]))
      ready.push(await timed('/readyz'))
      await delay(100)
    }
    return { ...summaryOf(details), readyMaxMs: round(Math.max(...ready)), refused }
  }
  const during = async (data: Omit<AnonymousData, 'origin'>) => {
    const anonymous = await startApart(new URL('hostile/anonymous-acts.ts', import.meta.url), {
      ...data,
      origin: server.origin,
    })
    anonymous.begin()
    await delay(1_000)
    const latencies = await measured()
    return { ...latencies, anonymous: await anonymous.stop() }
  }
  await measured()
  const idle = await measured()
  const script = await during({ acts: ['script'], connections: 50 })
  const crowd = await during({ acts: 'all', connections: Number(options.connections) })
  await customer.close()
  await server.stop()
  return {
    ratios: { scriptP99: round(script.p99Ms / idle.p99Ms), crowdP99: round(crowd.p99Ms / idle.p99Ms) },
    idle,
    script,
    crowd,
  }
})
console.log(JSON.stringify({ bench: 'anonymous', ...result }, null, 2))

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function summaryOf(timesMs: readonly number[]) {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { calls: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

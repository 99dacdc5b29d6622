/**
 * A long mixed load on the whole server: details, name searches, screener queries that never repeat, feeds, profiles.
 * At every tenth of the requests the server reports the delays of its event loop under that load and its memory after a
 * full collection. Prints one JSON document: the worst p99 of the loop (and that of an idle process for comparison),
 * and the growth of the memory in MiB per 100,000 requests (by least squares, without the first quarter, in which
 * caches fill).
 *
 * npm run bench -- soak [--requests 200000] [--connections 16] [--companies 200000] [--database FOLDER]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { heapFlags } from '../src/cli/start/bounded-heap.ts'
import { type BenchDatabase, withBenchDatabase } from './bench-database.ts'
import { type LoadRequest, runLoad } from './http-load.ts'
import type { LoopDelay } from './loop-delay.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import type { TargetServer } from './server-thread.ts'
import type { SoakSample } from './soak-server.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    connections: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '200' },
    ...registerOptions({ companies: 200_000, gst: 0, directors: 0 }),
  },
})
const sizes = sizesOf(options)
/** 20,000 of 200,000; a shorter soak has as many steps. */
const stepRequests = Math.ceil(Number(options.requests) / 10)
const states = ['Goa', 'Kerala', 'Punjab', 'Bihar', 'Odisha']

/** The n-th request of the soak; of twenty, fourteen are details. */
function mixed(cins: readonly string[], n: number): LoadRequest {
  const cin = cins[(n * 7919) % cins.length] ?? ''
  switch (n % 20) {
    case 3:
      return { method: 'GET', path: `/api/company/company-filter?company=sun${n % 977}den%20india` }
    case 7:
      return { method: 'GET', path: `/api/company/company-filter?company=${cin}` }
    case 11:
      return { method: 'POST', path: '/api/recently-registered/companies', body: { page: 1 + (n % 50), limit: 10 } }
    case 13:
      return {
        method: 'POST',
        path: '/api/recently-registered/companies',
        body: { state: states[n % states.length], from_date: `20${10 + (n % 16)}-0${1 + (n % 9)}-01` },
      }
    case 17:
      return {
        method: 'POST',
        path: '/api/screener/search',
        body: { type: 'company', query: `CIN == '${cin}' AND paidUpCapital > ${n}` },
      }
    case 19:
      return { method: 'GET', path: '/api/users/me' }
    default:
      return { method: 'GET', path: `/api/company/details?cin=${cin}` }
  }
}

async function measure({ databaseUrl, db }: BenchDatabase) {
  const cins = await companyIds(db, 50_000)
  const server = fork(file('soak-server.ts'), [databaseUrl, options.accounts], {
    execArgv: [...heapFlags, '--expose-gc'],
  })
  const idle = fork(file('soak-idle.ts'))
  try {
    const [target] = (await once(server, 'message')) as [TargetServer]
    const steps: Step[] = []
    for (let done = 0; done < Number(options.requests); done += stepRequests) {
      const { perSecond } = await runLoad({
        ...target,
        connections: Number(options.connections),
        seconds: 3600,
        requestsMax: stepRequests,
        request: (n) => mixed(cins, done + n),
      })
      const { loopP99Ms: idleLoopP99Ms } = await ask<LoopDelay>(idle)
      steps.push({ requests: done + stepRequests, perSecond, idleLoopP99Ms, ...(await ask<SoakSample>(server)) })
    }
    return summary(steps)
  } finally {
    server.disconnect()
    idle.disconnect()
  }
}

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface Step extends SoakSample {
  readonly requests: number
  readonly perSecond: number
  /** Of an idle process running next to the server. */
  readonly idleLoopP99Ms: number
}

async function ask<T>(child: ChildProcess): Promise<T> {
  const answered = once(child, 'message')
  child.send('sample')
  const [answer] = (await answered) as [T]
  return answer
}

function summary(steps: readonly Step[]) {
  const settled = steps.slice(Math.floor(steps.length / 4))
  const growth = (value: (step: SoakSample) => number) =>
    slopePer100k(settled.map((step) => [step.requests, value(step)] as const))
  return {
    bench: 'soak',
    sizes,
    loopP99Ms: Math.max(...steps.map(({ loopP99Ms }) => loopP99Ms)),
    idleLoopP99Ms: Math.max(...steps.map(({ idleLoopP99Ms }) => idleLoopP99Ms)),
    heapMibPer100k: growth(({ heapMib }) => heapMib),
    rssMibPer100k: growth(({ rssMib }) => rssMib),
    steps,
  }
}

/** Least squares; null for fewer than two points. */
function slopePer100k(points: readonly (readonly [number, number])[]): number | null {
  if (points.length < 2) return null
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = meanOf(points.map(([x]) => x))
  const meanY = meanOf(points.map(([, y]) => y))
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return Math.round((above / below) * 100_000 * 100) / 100
}

console.log(JSON.stringify(await withBenchDatabase(sizes, options.database, measure), null, 2))

/**
 * What a Prometheus server scrapes: responses by route, the process, the pool, and the state of the work in the
 * database. Labels are names of ours (routes, queues, sources), never identifiers or personal data.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../../db/db.ts'
import type { StandbyUsage } from '../../db/standbys/watch.ts'
import type { GateUsage } from '../../limits/gate.ts'
import { reportDatabaseFaults } from './database-metrics.ts'
import '../../telemetry/crm-calls.ts'
import { createCounts, setWorkMetrics, workMetrics } from '../../health/readings/work-metrics.ts'
import { measured } from '../../telemetry/measured.ts'

export interface Metrics {
  readonly contentType: string
  /** `route` is the pattern, `/api/orders/:id`, never the URL. */
  observeAnswer(answer: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly seconds: number
    readonly errorCode: string | null
  }): void
  /** Reads what changes outside this process, then renders. */
  render(): Promise<string>
}

/** Seconds: from a response out of memory to the statement timeout. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export interface BuildFacts {
  readonly version: string
  /** Build of that version: its commit. */
  readonly build: string
  /** Role of the process: all, api, worker, scheduler. */
  readonly role: string
}

/** Responses that are delayed now, and that were since the start. */
type HeldUsage = () => { readonly waiting: number; readonly total: number }

export interface MetricsOptions {
  readonly build: BuildFacts
  /** Slots used and waited for in this process, and refusals since its start; unset where no API is served. */
  readonly expensiveReads?: () => GateUsage
  readonly delayedResponses?: HeldUsage
  /** Unset where no standbys are configured. */
  readonly standbys?: () => StandbyUsage
  /** Data directory of the process, whose disk is measured. */
  readonly dataDir?: string
  /** URL whose certificate is checked. */
  readonly publicUrl?: string | undefined
}

export function createMetrics(
  db: Db,
  { build, expensiveReads, delayedResponses, standbys, dataDir, publicUrl }: MetricsOptions,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'panji_build_info',
    help: 'Always 1; labelled with the version, build and role of the process.',
    labelNames: ['version', 'role', 'node', 'build'] as const,
    registers,
  }).set({ version: build.version, role: build.role, node: process.versions.node, build: build.build }, 1)
  const durations = new Histogram({
    name: 'panji_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route and method.',
    labelNames: ['route', 'method'] as const,
    buckets,
    registers,
  })
  const answers = new Counter({
    name: 'panji_http_answers_total',
    help: 'HTTP responses, by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  })
  const refusals = new Counter({
    name: 'panji_http_refusals_total',
    help: 'Error responses, including exceeded limits, by code.',
    labelNames: ['code'] as const,
    registers,
  })
  new Gauge({
    name: 'panji_db_pool_connections',
    help: 'Database connections of this process by state; waiting counts requests that are waiting for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(db.poolUsage())) this.set({ state }, count)
    },
  })
  reportDatabaseFaults(registers)
  if (expensiveReads) reportExpensiveReads(registers, expensiveReads)
  if (delayedResponses) reportDelayedResponses(registers, delayedResponses)
  if (standbys) reportStandbys(registers, standbys)
  const work = workMetrics(registers, dataDir)
  const counts = createCounts(db, work, publicUrl)
  return {
    contentType: registry.contentType,
    observeAnswer({ route, method, status, seconds, errorCode }) {
      if (errorCode !== null) refusals.inc({ code: errorCode })
      const labels = { route, method: knownMethod(method) }
      durations.observe(labels, seconds)
      answers.inc({ ...labels, status: String(status) })
    },
    async render() {
      await setWorkMetrics(db, work, counts)
      return `${await registry.metrics()}\n${await measured.metrics()}`
    },
  }
}

function reportDelayedResponses(registers: Registry[], usage: HeldUsage): void {
  new Gauge({
    name: 'panji_http_answers_held',
    help: 'Responses currently delayed because their clients exceed their share.',
    registers,
    collect() {
      this.set(usage().waiting)
    },
  })
  new Counter({
    name: 'panji_http_answers_held_total',
    help: 'Responses that were delayed.',
    registers,
    collect() {
      this.reset()
      this.inc(usage().total)
    },
  })
}

function reportExpensiveReads(registers: Registry[], expensiveReads: () => GateUsage): void {
  new Gauge({
    name: 'panji_expensive_reads',
    help: 'Searches, feeds and exports of this process by state: running, or waiting for a slot.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { running, waiting } = expensiveReads()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Counter({
    name: 'panji_expensive_reads_refused_total',
    help: 'Searches, feeds and exports refused with TOO_MANY_CONCURRENT.',
    registers,
    collect() {
      this.reset()
      this.inc(expensiveReads().refused)
    },
  })
}

function reportStandbys(registers: Registry[], standbys: () => StandbyUsage): void {
  new Gauge({
    name: 'panji_database_standbys',
    help: 'Standbys of PANJI_READ_DATABASE_URL by state: used for reads, or not used because they lag or are unreachable.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { used, leftOut } = standbys()
      this.set({ state: 'used' }, used)
      this.set({ state: 'left_out' }, leftOut)
    },
  })
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Invented methods create no new series. */
const knownMethod = (method: string) => (methods.has(method) ? method : 'other')

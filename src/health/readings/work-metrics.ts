/** Queues, dead letters and ingest runs as gauges: for the whole instance, whichever process is scraped. */

import { Gauge, type Registry } from 'prom-client'
import { databaseFault } from '../../db/database-fault.ts'
import type { Db, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { lastProof } from '../../orders/ledger-check.ts'
import { recentQueueWarnings } from '../../queue/queue-warnings.ts'
import { deadLetterQueue, queues } from '../../queue/queues.ts'
import { type AgedReading, agedReading } from './aged-reading.ts'
import { auditLogMetrics, resetAuditLogMetrics, setAuditLogMetrics } from './audit-metrics.ts'
import { backupMetrics, resetBackupMetrics, setBackupMetrics } from './backup-metrics.ts'
import { dataMetrics, resetDataMetrics, setDataMetrics } from './data-metrics.ts'
import { deliveryMetrics, setDeliveryMetrics } from './delivery-metrics.ts'
import { endingMetrics, setCertificate, setEndingKeys } from './ending-metrics.ts'
import { databaseMetrics, forgetDatabaseMetrics, setDatabaseMetrics } from './server-metrics.ts'
import { resetTradeMetrics, setTradeMetrics, tradeMetrics } from './trade-metrics.ts'

const waitingStates = ['created', 'retry', 'active'] as const
/** A scrape must not hang on a busy database. */
const timeoutMs = 3_000
/** For the counts over growing tables, which only the first scrape waits for. */
const countsTimeoutMs = 20_000

export type WorkMetrics = ReturnType<typeof workMetrics>

export function workMetrics(registers: Registry[], dataDir: string | undefined) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers })
  return {
    ...deliveryMetrics(registers),
    trade: tradeMetrics(registers),
    data: dataMetrics(registers),
    database: databaseMetrics(registers, dataDir),
    auditLog: auditLogMetrics(registers),
    backups: backupMetrics(registers),
    ending: endingMetrics(registers),
    countsAge: gauge(
      'panji_counts_age_seconds',
      'Time since orders, deliveries, pushes and credits were counted, which happens every minute.',
      [],
    ),
    databaseUp: gauge('panji_database_up', '1 if the database responded to this scrape.', []),
    jobs: gauge('panji_queue_jobs', 'Jobs by queue and state: created, retry (waiting again), active.', [
      'queue',
      'state',
    ]),
    oldestJob: gauge('panji_queue_oldest_job_age_seconds', 'Age of the oldest due job that has not started.', [
      'queue',
    ]),
    deadLetters: gauge('panji_dead_letters', 'Jobs that failed permanently and need an operator.', []),
    queueWarnings: gauge('panji_queue_warnings', 'Warnings of the queue itself in the last hour, by type.', ['type']),
    ledgerViolations: gauge('panji_ledger_violations', 'Ledger invariants that the last check found violated.', []),
    ledgerChecked: gauge('panji_ledger_checked_age_seconds', 'Time since the ledger was last verified.', []),
    runs: gauge('panji_ingest_runs', 'Import runs by source and status.', ['source', 'status']),
    lastRows: gauge(
      'panji_ingest_last_run_rows',
      'Rows of the newest applied run of the source, by outcome; closed rows were in the register before.',
      ['source', 'outcome'],
    ),
    lastSuccess: gauge(
      'panji_ingest_last_success_age_seconds',
      'Time since a run of the source last succeeded or found no change.',
      ['source'],
    ),
  }
}

/** Orders, deliveries and other counts over growing tables: once a minute, however often they are scraped. */
export function createCounts(db: Db, metrics: WorkMetrics, publicUrl?: string): AgedReading {
  forgetCounts(metrics)
  return agedReading(() => readCounts(db, metrics, publicUrl))
}

/** Waits as long as necessary, unlike a scrape. */
export async function readCounts(db: Db, metrics: WorkMetrics, publicUrl: string | undefined): Promise<void> {
  await setCertificate(metrics.ending, publicUrl)
  await db.readSnapshot(countsTimeoutMs, async (tx) => {
    await setTradeMetrics(tx, metrics.trade)
    await setDeliveryMetrics(tx, metrics)
    await setDatabaseMetrics(tx, metrics.database)
    await setEndingKeys(tx, metrics.ending)
  })
}

/**
 * While the database is unavailable the process's own metrics are still worth a scrape: `panji_database_up` reports it.
 */
export async function setWorkMetrics(db: Db, metrics: WorkMetrics, counts: AgedReading): Promise<void> {
  forgetWork(metrics)
  try {
    await readWork(db, metrics)
    const age = await counts.age()
    if (age === null) metrics.countsAge.remove()
    else metrics.countsAge.set(age)
    metrics.databaseUp.set(1)
  } catch (error) {
    if (!(error instanceof Error && databaseFault(error))) throw error
    counts.forget()
    forgetCounts(metrics)
    metrics.databaseUp.set(0)
  }
}

/** A gauge without labels is 0 until it is set or removed. */
export function forgetWork(metrics: WorkMetrics): void {
  const { jobs, oldestJob, queueWarnings, runs, lastRows, lastSuccess } = metrics
  for (const gauge of [jobs, oldestJob, queueWarnings, runs, lastRows, lastSuccess]) gauge.reset()
  resetAuditLogMetrics(metrics.auditLog)
  resetBackupMetrics(metrics.backups)
  resetDataMetrics(metrics.data)
  metrics.deadLetters.remove()
  metrics.ledgerViolations.remove()
  metrics.ledgerChecked.remove()
}

/** Read at every scrape. */
export async function readWork(db: Db, metrics: WorkMetrics): Promise<void> {
  await db.readSnapshot(timeoutMs, async (tx) => {
    await setQueues(tx, metrics)
    await setRuns(tx, metrics)
    await setDataMetrics(tx, metrics.data)
    await setAuditLogMetrics(tx, metrics.auditLog)
    await setBackupMetrics(tx, metrics.backups)
    const proof = await lastProof(tx)
    if (proof) {
      metrics.ledgerViolations.set(proof.violations.length)
      metrics.ledgerChecked.set((Date.now() - proof.provedAt.getTime()) / 1000)
    }
  })
}

export function forgetCounts(metrics: WorkMetrics): void {
  resetTradeMetrics(metrics.trade)
  forgetDatabaseMetrics(metrics.database)
  metrics.ending.keys.remove()
  metrics.ending.certificate.reset()
  for (const gauge of [metrics.deliveries, metrics.destinations, metrics.oldest]) gauge.reset()
  for (const gauge of [metrics.waiting, metrics.countsAge]) gauge.remove()
}

async function setQueues(tx: Tx, metrics: WorkMetrics): Promise<void> {
  for (const queue of Object.values(queues)) {
    for (const state of waitingStates) metrics.jobs.set({ queue: queue.name, state }, 0)
  }
  metrics.deadLetters.set(0)
  // The queue creates its own tables when it is first used.
  const [used] = await tx.query<{ used: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS used`)
  if (used?.used !== true) return
  const rows = await tx.query<{ queue: string; state: string; jobs: number; oldest: number | null }>(
    `SELECT name AS queue, state::text AS state, count(*) AS jobs,
            extract(epoch FROM now() - min(start_after) FILTER (WHERE state <> 'active' AND start_after <= now()))::float8
              AS oldest
     FROM pgboss.job WHERE state IN ('created', 'retry', 'active') GROUP BY name, state`,
  )
  const ages = new Map<string, number>()
  for (const { queue, state, jobs, oldest } of rows) {
    if (queue === deadLetterQueue) {
      if (state === 'created') metrics.deadLetters.set(jobs)
      continue
    }
    metrics.jobs.set({ queue, state }, jobs)
    if (oldest !== null) ages.set(queue, Math.max(oldest, ages.get(queue) ?? 0))
  }
  for (const [queue, age] of ages) metrics.oldestJob.set({ queue }, age)
  for (const { type, count } of await recentQueueWarnings(tx)) metrics.queueWarnings.set({ type }, count)
}

const outcomes = ['inserted', 'updated', 'unchanged', 'skipped', 'rejected', 'closed'] as const
type Outcome = (typeof outcomes)[number]

async function setRuns(tx: Tx, metrics: WorkMetrics): Promise<void> {
  const runs = await tx.query<{ source: string; status: string; runs: number; age: number | null }>(
    `SELECT source, status, count(*) AS runs,
            extract(epoch FROM now() - max(finished_at) FILTER (WHERE status IN ('succeeded', 'no_op')))::float8 AS age
     FROM ingest.run GROUP BY source, status`,
  )
  const ages = new Map<string, number>()
  for (const { source, status, runs: count, age } of runs) {
    metrics.runs.set({ source, status }, count)
    if (age !== null) ages.set(source, Math.min(age, ages.get(source) ?? Number.POSITIVE_INFINITY))
  }
  for (const [source, age] of ages) metrics.lastSuccess.set({ source }, age)
  const newest = await tx.query<{ source: string } & Record<Outcome, number>>(
    sql`SELECT DISTINCT ON (source) source, ${outcomes.join(', ')} FROM ingest.run WHERE status = 'succeeded'
     ORDER BY source, coalesce(turn, run_id) DESC`,
  )
  for (const { source, ...rows } of newest) {
    for (const outcome of outcomes) metrics.lastRows.set({ source, outcome }, rows[outcome])
  }
}

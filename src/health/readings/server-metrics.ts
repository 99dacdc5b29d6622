/**
 * The database server: its size, transactions that prevent its space from being reused, standbys that lag, and its
 * disks. A login without pg_monitor sees neither transactions nor standbys of other logins.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { measureDisks } from './disk-metrics.ts'

export type DatabaseMetrics = ReturnType<typeof databaseMetrics>

/** @param dataDir whose disks are measured at each scrape; undefined where the process has no files. */
export function databaseMetrics(registers: Registry[], dataDir: string | undefined) {
  if (dataDir !== undefined) measureDisks(registers, dataDir)
  return {
    size: new Gauge({ name: 'panji_database_size_bytes', help: 'Size of the database on disk.', registers }),
    oldest: new Gauge({
      name: 'panji_database_oldest_transaction_age_seconds',
      help: 'Age of the oldest open transaction visible to this role; 0 if there is none.',
      registers,
    }),
    lag: new Gauge({
      name: 'panji_database_replica_lag_seconds',
      help: 'Replay lag of each standby, measured by the primary.',
      labelNames: ['replica'] as const,
      registers,
    }),
  }
}

export function forgetDatabaseMetrics({ size, oldest, lag }: DatabaseMetrics): void {
  size.remove()
  oldest.remove()
  lag.reset()
}

export async function setDatabaseMetrics(tx: Tx, { size, oldest, lag }: DatabaseMetrics): Promise<void> {
  const [database] = await tx.query<{ bytes: number; oldest: number | null }>(
    `SELECT pg_database_size(current_database())::float8 AS bytes,
            (SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::float8 FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS oldest`,
  )
  size.set(database?.bytes ?? 0)
  oldest.set(Math.max(0, database?.oldest ?? 0))
  const replicas = await tx.query<{ replica: string; seconds: number }>(
    `SELECT application_name AS replica, max(extract(epoch FROM coalesce(replay_lag, '0')))::float8 AS seconds
     FROM pg_stat_replication WHERE state IS NOT NULL AND application_name IS NOT NULL GROUP BY 1`,
  )
  lag.reset()
  for (const { replica, seconds } of replicas) lag.set({ replica }, seconds)
}

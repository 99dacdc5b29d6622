/**
 * Loads one register file into its database by the product's own import, in a process of its own, and measures its peak
 * usage.
 */
import type { Db } from '../../src/db/db.ts'
import { databaseCpu } from '../database-cpu.ts'
import { ingestSource, type Outcome } from '../ingest/panji-run.ts'
import { type Peaks, watch } from './watch.ts'

export interface Loaded extends Outcome {
  readonly rows: number
  readonly secondsPerMillion: number
  /** Processor seconds of the database's server; the machine may have had other work. */
  readonly databaseCpuSeconds: number
  readonly walWrittenBytes: number
  readonly peaks: Peaks
}

export interface Into {
  readonly db: Db
  readonly databaseUrl: string
  readonly folder: string
}

export async function load({ db, databaseUrl, folder }: Into, register: string, path: string): Promise<Loaded> {
  const watching = await watch(db)
  const cpu = await databaseCpu(db)
  const [cpuBefore, walBefore] = [cpu(), await walWritten(db)]
  const options = { folder, guarded: true, signal: watching.signal, onStart: (pid: number) => watching.follow(pid) }
  const run = ingestSource(databaseUrl, register, path, options)
  const ended = run
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => watching.stop())
  const outcome = await run
  const { inserted, updated, unchanged, rejected, seconds } = outcome
  const rows = inserted + updated + unchanged + rejected
  return {
    ...outcome,
    rows,
    secondsPerMillion: Math.round((seconds / rows) * 1e7) / 10,
    databaseCpuSeconds: Math.round(cpu() - cpuBefore),
    walWrittenBytes: (await walWritten(db)) - walBefore,
    peaks: await ended,
  }
}

async function walWritten(db: Db): Promise<number> {
  const [wal] = await db.query<{ bytes: number }>(`SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`)
  return wal?.bytes ?? 0
}

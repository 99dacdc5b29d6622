/** One ingest run in a process of its own, against the database of a bench. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { StatementSeconds } from './statement-times.ts'

export interface Outcome {
  /** From claim to commit. */
  readonly seconds: number
  readonly status: string
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  /** Of the worker's process, which does nothing else. */
  readonly peakRssMiB: number
  readonly steps: Readonly<Record<string, number>>
  /** The seconds spent counting what the file changes. */
  readonly guardSeconds: number
  /** Seconds of the database's statements by purpose; some overlap with reading the file. */
  readonly statements: StatementSeconds
}

interface Printed extends Omit<Outcome, 'guardSeconds'> {
  readonly peakRssKib: number
  readonly error: unknown
  readonly report: { readonly seconds: Readonly<Record<string, number>> }
}

export interface RunOptions {
  readonly folder: string
  readonly mode?: 'snapshot' | 'delta'
  /** A suspicious complete file waits for approval, as in production; unset: the run is approved beforehand. */
  readonly guarded?: boolean
  /** Ends the process. */
  readonly signal?: AbortSignal
  /** Called as soon as it runs. */
  readonly onStart?: (pid: number) => void
}

export const ingestCompanies = (databaseUrl: string, path: string, options: RunOptions): Promise<Outcome> =>
  ingestSource(databaseUrl, 'mca-companies', path, options)

export async function ingestSource(
  databaseUrl: string,
  source: string,
  path: string,
  { folder, mode = 'snapshot', guarded = false, signal, onStart }: RunOptions,
): Promise<Outcome> {
  const worker = fileURLToPath(new URL('worker.ts', import.meta.url))
  const args = [worker, databaseUrl, source, path, folder, mode, guarded ? 'guarded' : 'approved']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], ...(signal && { signal }) })
  if (child.pid !== undefined) onStart?.(child.pid)
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (exitCode !== 0) throw new Error(`the run's process ended with ${String(exitCode)}`)
  const { seconds, status, inserted, updated, unchanged, rejected, peakRssKib, report, error, statements } = JSON.parse(
    printed,
  ) as Printed
  if (status !== 'succeeded') throw new Error(`the run ended ${status}: ${JSON.stringify(error)}`)
  const peakRssMiB = Math.round(peakRssKib / 1024)
  const times = { guardSeconds: statements.guards ?? 0, statements }
  return { seconds, status, inserted, updated, unchanged, rejected, peakRssMiB, steps: report.seconds, ...times }
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round(performance.now() - started) / 1000
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The median of the ratios per round, so that a slow minute affects both sides. */
export const medianRatio = (mine: readonly number[], reference: readonly number[]): number =>
  Math.round(median(mine.map((value, round) => value / (reference[round] ?? Number.NaN))) * 100) / 100

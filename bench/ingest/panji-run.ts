/** One run of Panji in a process of its own, against the database of a bench. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface Outcome {
  /** From claim to commit. */
  readonly seconds: number
  readonly status: string
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  /** Of the worker's process, nothing else in it. */
  readonly peakRssMiB: number
  readonly steps: Readonly<Record<string, number>>
  /** Of the seconds, those in which it was counted what the file changes. */
  readonly guardSeconds: number
}

interface Printed extends Outcome {
  readonly peakRssKib: number
  readonly error: unknown
  readonly report: { readonly seconds: Readonly<Record<string, number>> }
}

export const ingestCompanies = (
  databaseUrl: string,
  path: string,
  options: { readonly folder: string; readonly mode?: 'snapshot' | 'delta' },
): Promise<Outcome> => ingestSource(databaseUrl, 'mca-companies', path, options)

export async function ingestSource(
  databaseUrl: string,
  source: string,
  path: string,
  { folder, mode = 'snapshot' }: { readonly folder: string; readonly mode?: 'snapshot' | 'delta' },
): Promise<Outcome> {
  const worker = fileURLToPath(new URL('worker.ts', import.meta.url))
  const child = spawn(process.execPath, [worker, databaseUrl, source, path, folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (exitCode !== 0) throw new Error(`the run's process ended with ${String(exitCode)}`)
  const { seconds, status, inserted, updated, unchanged, rejected, peakRssKib, report, error, guardSeconds } =
    JSON.parse(printed) as Printed
  if (status !== 'succeeded') throw new Error(`the run ended ${status}: ${JSON.stringify(error)}`)
  const peakRssMiB = Math.round(peakRssKib / 1024)
  return { seconds, status, inserted, updated, unchanged, rejected, peakRssMiB, steps: report.seconds, guardSeconds }
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

/** Of the ratios in each round, so that a slow minute meets both sides. */
export const medianRatio = (mine: readonly number[], reference: readonly number[]): number =>
  Math.round(median(mine.map((value, round) => value / (reference[round] ?? Number.NaN))) * 100) / 100

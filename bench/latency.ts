/** Quantiles of measured times, in milliseconds rounded to hundredths. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** By nearest rank: `share` of the values lie at or below the result: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export interface Latency {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export function latencyOf(timesMs: readonly number[]): Latency {
  return {
    p50Ms: rounded(quantile(timesMs, 0.5)),
    p95Ms: rounded(quantile(timesMs, 0.95)),
    p99Ms: rounded(quantile(timesMs, 0.99)),
    maxMs: rounded(quantile(timesMs, 1)),
  }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return rounded(performance.now() - started)
}

export const ratio = (value: number, yardstick: number): number => rounded(value / yardstick)

/** A closed-loop loader over loopback: each connection sends its next request when the answer is read. */
import { Pool } from 'undici'

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Load {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
  /** Path of the n-th request. */
  readonly path: (n: number) => string
}

/** @throws when any answer is not 200: a fast error is no measurement. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const timesMs: number[] = []
  let sent = 0
  const started = performance.now()
  const until = started + load.seconds * 1000
  const oneConnection = async (): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now()
      const { statusCode, body } = await pool.request({ method: 'GET', path: load.path(sent++), headers: load.headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text.slice(0, 200)}`)
      timesMs.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: load.connections }, oneConnection))
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  timesMs.sort((a, b) => a - b)
  const at = (share: number) => Math.round((timesMs[Math.floor(timesMs.length * share)] ?? 0) * 100) / 100
  return { requests: timesMs.length, perSecond: Math.round(timesMs.length / seconds), p50Ms: at(0.5), p99Ms: at(0.99) }
}

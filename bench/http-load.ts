/** A closed-loop load generator over loopback: each connection sends its next request when the response is read. */
import { Pool } from 'undici'

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

export interface Load {
  readonly origin: string
  /** Headers of the callers, used in turn; none by default. */
  readonly callers: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  readonly seconds: number
  /** Ends the load early. */
  readonly requestsMax?: number
  /** The n-th request. */
  readonly request: (n: number) => LoadRequest
}

/** @throws when any response is not 200: a fast error is no measurement. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const timesMs: number[] = []
  let sent = 0
  const started = performance.now()
  const until = started + load.seconds * 1000
  const oneConnection = async (): Promise<void> => {
    while (performance.now() < until && sent < (load.requestsMax ?? Number.POSITIVE_INFINITY)) {
      const begun = performance.now()
      const n = sent++
      const { method, path, body } = load.request(n)
      const caller = load.callers[n % load.callers.length] ?? {}
      const json = body
        ? { headers: { ...caller, 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : { headers: caller }
      const reply = await pool.request({ method, path, ...json })
      const text = await reply.body.text()
      if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}: ${text.slice(0, 200)}`)
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

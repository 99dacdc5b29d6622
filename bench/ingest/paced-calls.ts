/**
 * Calls at a fixed rate, whether responses arrive or not, each timed from the moment it was due, so that a server that
 * falls behind is not spared.
 */
import { Pool } from 'undici'

export interface Pace {
  readonly origin: string
  readonly callers: readonly Readonly<Record<string, string>>[]
  readonly perSecond: number
  readonly path: (n: number) => string
}

export interface Paced {
  /** Calls answered with 200; only their times count. */
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** A response that takes longer counts as missing. */
const longestMs = 30_000

/** @throws when any response is not 200, unless `onOther` handles it. */
export async function paceCalls(
  pace: Pace,
  until: Promise<unknown>,
  onOther: (answer: string) => void = refuse,
): Promise<Paced> {
  const bounds = { headersTimeout: longestMs, bodyTimeout: longestMs }
  const pool = new Pool(pace.origin, { connections: 32, pipelining: 1, ...bounds })
  const timesMs: number[] = []
  const calls: Promise<void>[] = []
  const call = async (n: number, dueAt: number): Promise<void> => {
    const headers = pace.callers[n % pace.callers.length] ?? {}
    const reply = await pool.request({ method: 'GET', path: pace.path(n), headers })
    const body = await reply.body.text()
    if (reply.statusCode !== 200) return onOther(`answered ${reply.statusCode}: ${body.slice(0, 200)}`)
    timesMs.push(performance.now() - dueAt)
  }
  const started = performance.now()
  const ticker = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * pace.perSecond)
    while (calls.length <= due) {
      const made = call(calls.length, started + (calls.length / pace.perSecond) * 1000)
      // An early failure is reported with all the others, at the end.
      made.catch(() => undefined)
      calls.push(made)
    }
  }, 2)
  try {
    await until
  } finally {
    clearInterval(ticker)
  }
  await Promise.all(calls)
  await pool.close()
  timesMs.sort((a, b) => a - b)
  const at = (share: number) => Math.round((timesMs[Math.floor(timesMs.length * share)] ?? 0) * 100) / 100
  return { calls: timesMs.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(0.999_999) }
}

function refuse(answer: string): never {
  throw new Error(answer)
}

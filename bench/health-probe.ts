/**
 * Calls a server's `/healthz` ten times a second, from its own thread, so that the loader's event loop is not part of
 * the result. Calling more often than the probe limit (`config/http-bounds.ts`) would measure how long a response is
 * delayed.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import { type Latency, latencyOf, timed } from './latency.ts'

const betweenMs = 100

/** @returns the latencies of the calls made until `until` settled. */
export async function probeHealth(
  origin: string,
  until: Promise<unknown>,
): Promise<Latency & { readonly calls: number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: origin })
  try {
    await until
    const answered = once(worker, 'message')
    worker.postMessage('enough')
    const [times] = (await answered) as [number[]]
    return { calls: times.length, ...latencyOf(times) }
  } finally {
    await worker.terminate()
  }
}

if (parentPort) {
  const pool = new Pool(workerData as string, { connections: 1 })
  const times: number[] = []
  parentPort.once('message', () => parentPort?.postMessage(times))
  for (;;) {
    const ms = await timed(async () => {
      const { body } = await pool.request({ method: 'GET', path: '/healthz' })
      await body.dump()
    })
    times.push(ms)
    await delay(betweenMs)
  }
}

/**
 * The whole server in a process of its own, so that its memory is the server's alone. On each message from its parent
 * it answers with the delays of its event loop since the last one, and with its memory after a full collection.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { TargetServer } from './server-thread.ts'
import { startTarget } from './targets/full.ts'

export interface SoakSample {
  /** Between two turns of a timer of `resolutionMs`, so an idle loop shows that much. */
  readonly loopP50Ms: number
  readonly loopP99Ms: number
  readonly loopMaxMs: number
  readonly heapMib: number
  readonly externalMib: number
  readonly rssMib: number
}

export const resolutionMs = 1

const mib = (bytes: number): number => Math.round((bytes / 2 ** 20) * 100) / 100
const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100

if (process.send) {
  const [databaseUrl = '', accounts = '1'] = process.argv.slice(2)
  const server: TargetServer = await startTarget(databaseUrl, { accounts: Number(accounts) })
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  process.on('message', () => {
    const loop = {
      loopP50Ms: ms(delays.percentile(50)),
      loopP99Ms: ms(delays.percentile(99)),
      loopMaxMs: ms(delays.max),
    }
    // Twice: what the first collection finalises, the second frees.
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    const sample: SoakSample = { ...loop, heapMib: mib(heapUsed), externalMib: mib(external), rssMib: mib(rss) }
    delays.reset()
    process.send?.(sample)
  })
  process.on('disconnect', () => process.exit())
  process.send(server)
}

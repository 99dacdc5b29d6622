/**
 * The whole server in a process of its own, so that its memory is the server's alone. Each message from its parent is
 * answered with the delays of its event loop since the last one, and its memory after a full collection.
 */
import { type LoopDelay, watchLoop } from './loop-delay.ts'
import { startTarget } from './targets/full.ts'

export interface SoakSample extends LoopDelay {
  readonly heapMib: number
  readonly externalMib: number
  readonly rssMib: number
  /** Since the process started. */
  readonly peakRssMib: number
}

const mib = (bytes: number): number => Math.round((bytes / 2 ** 20) * 100) / 100

const [databaseUrl = '', accounts = '1'] = process.argv.slice(2)
const server = await startTarget(databaseUrl, { accounts: Number(accounts) })
const loop = watchLoop()
process.on('message', () => {
  const delay = loop.read()
  // Twice: what the first collection finalises, the second frees.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const sample: SoakSample = {
    ...delay,
    heapMib: mib(heapUsed),
    externalMib: mib(external),
    rssMib: mib(rss),
    peakRssMib: mib(process.resourceUsage().maxRSS * 1024),
  }
  loop.restart()
  process.send?.(sample)
})
process.on('disconnect', () => process.exit())
process.send?.(server)

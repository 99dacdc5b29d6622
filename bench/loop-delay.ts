/** Delays of this process's event loop, between two turns of a timer of one millisecond: an idle loop shows that one. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LoopDelay {
  readonly loopP50Ms: number
  readonly loopP99Ms: number
  readonly loopMaxMs: number
}

const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100

/** @returns a function that tells the delays since it was last called `restart`. */
export function watchLoop(): { read(): LoopDelay; restart(): void } {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  return {
    read: () => ({
      loopP50Ms: ms(delays.percentile(50)),
      loopP99Ms: ms(delays.percentile(99)),
      loopMaxMs: ms(delays.max),
    }),
    restart: () => delays.reset(),
  }
}

/** Delays of this process's event loop between two ticks of a one-millisecond timer: an idle loop shows that one. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LoopDelay {
  readonly loopP50Ms: number
  readonly loopP99Ms: number
  readonly loopMaxMs: number
  /** The first long delay: seconds since the last `restart`, and its length. */
  readonly stalls: readonly { readonly atSeconds: number; readonly ms: number }[]
}

const stallMsMin = 50
const stallsMax = 20
const lookMs = 5

const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100

/** @returns a function that reports the delays since its last `restart`. */
export function watchLoop(): { read(): LoopDelay; restart(): void } {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  let stalls: { atSeconds: number; ms: number }[] = []
  let since = performance.now()
  let last = since
  setInterval(() => {
    const now = performance.now()
    const late = now - last - lookMs
    if (late >= stallMsMin && stalls.length < stallsMax)
      stalls.push({ atSeconds: Math.round((last - since) / 10) / 100, ms: Math.round(late) })
    last = now
  }, lookMs).unref()
  return {
    read: () => ({
      loopP50Ms: ms(delays.percentile(50)),
      loopP99Ms: ms(delays.percentile(99)),
      loopMaxMs: ms(delays.max),
      stalls,
    }),
    restart() {
      delays.reset()
      stalls = []
      since = performance.now()
    },
  }
}

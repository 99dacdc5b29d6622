/**
 * Work for credentials that are not known: a wrong one is counted in the database, behind locks, and so many of those
 * at once would take every connection. Few run, some wait, and the others are told at once that they are full.
 */
export interface NarrowLane {
  /** @returns undefined, without running the work, where too much waits. */
  run<T>(work: () => Promise<T>): Promise<{ readonly value: T } | undefined>
}

export function createNarrowLane(runningMax: number, waitingMax: number): NarrowLane {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running >= runningMax) {
        if (waiting.length >= waitingMax) return undefined
        // Whoever ends hands its place over, so the count stays.
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else {
        running++
      }
      try {
        return { value: await work() }
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

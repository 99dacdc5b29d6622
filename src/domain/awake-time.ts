/**
 * A time-out that an answer is given fairly: time in which the event loop was blocked, so that nobody could have read the
 * answer, counts as one short step of it.
 */
const steps = 20

/** @returns what `work` comes to, or `late()` once the loop was awake for so long in vain. */
export async function withinAwake<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<L>((resolve, reject) => {
    let left = steps
    timer = setInterval(() => {
      left -= 1
      if (left > 0) return
      clearInterval(timer)
      try {
        resolve(late())
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }, ms / steps)
  })
  try {
    return await Promise.race([work, overdue])
  } finally {
    clearInterval(timer)
  }
}

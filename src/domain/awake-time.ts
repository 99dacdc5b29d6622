/**
 * A time-out that is fair to the reply: time during which the event loop was blocked, so that no reply could be read,
 * counts as one short step only.
 */
const steps = 20

/** @returns the result of `work`, or `late()` once the loop was responsive for this long without it. */
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

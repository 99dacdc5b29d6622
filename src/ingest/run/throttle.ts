/** Writes progress at most twice a second, however often it is reported. */
const everyMs = 500

export function throttle<A extends readonly unknown[]>(
  write: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  let lastAt = Number.NEGATIVE_INFINITY
  return async (...args) => {
    if (performance.now() - lastAt < everyMs) return
    lastAt = performance.now()
    await write(...args)
  }
}

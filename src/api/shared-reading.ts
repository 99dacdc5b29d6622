/**
 * A reading that is shared while it is pending and for a while afterwards, however many ask. A failure is reported to
 * those who waited for it, and the next caller retries.
 */
export function sharedReading<T>(
  read: () => Promise<T>,
  sharedMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<T> {
  let reading: Promise<T> | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (reading && nowMs() - readAtMs < sharedMs) return reading
    readAtMs = nowMs()
    const mine = read()
    reading = mine
    mine.catch(() => {
      if (reading === mine) reading = undefined
    })
    return mine
  }
}

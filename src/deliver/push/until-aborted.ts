/** A connector that does not hear the signal must not hold the process; what it does late, nobody records. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    // The race looks after whichever loses, so that its failure is nobody's surprise.
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

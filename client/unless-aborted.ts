/** Waits for shared work; an aborted call stops waiting, while the work continues for the others. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ending = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ending.signal })
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    ending.abort()
  }
}

/** What many calls wait for together goes on for the others when one of them is aborted. */
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

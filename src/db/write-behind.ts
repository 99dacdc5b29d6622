/**
 * Collects rows in memory and writes them together a little later, so that no caller waits. A failed write is retried;
 * what happens to its rows until then is up to the collector.
 */

export interface WriteBehind {
  /** Something was collected: it is written when the delay has passed. */
  later(): void
  /**
   * Writes what was collected.
   * @throws the error of the write.
   */
  flush(): Promise<void>
}

/**
 * @param write writes what was collected.
 * @param onFault called with the error of a failed write.
 */
export function writeBehind(
  write: () => Promise<void>,
  waitMs: number,
  onFault: (error: unknown) => void,
): WriteBehind {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function later(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      flush().catch((error: unknown) => {
        onFault(error)
        later()
      })
    }, waitMs)
    timer.unref()
  }

  function flush(): Promise<void> {
    // Writes run one after another, whatever the outcome of the last.
    writing = writing.catch(() => undefined).then(write)
    return writing
  }

  return { later, flush }
}

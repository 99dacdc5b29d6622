/**
 * Rows that are gathered in memory and written together a while later, so that nobody waits for them. A write that fails is tried
 * again; what becomes of its rows until then, whoever gathers them says.
 */

export interface WriteBehind {
  /** Something was gathered: it is written once the time is up. */
  later(): void
  /** Writes what is gathered. @throws what the write throws. */
  flush(): Promise<void>
}

/** @param write takes what is gathered. @param onFault is told of a write that failed. */
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
    // One after the other, whatever the last one came to.
    writing = writing.catch(() => undefined).then(write)
    return writing
  }

  return { later, flush }
}

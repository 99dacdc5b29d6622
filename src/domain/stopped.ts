/** The end that somebody asked for, by Ctrl-C or a signal, while work was being done: no fault of the work. */
export class Stopped extends Error {}

/** Work that waits rejects with an error of its own, which has the stop as its cause. */
export function stopIn(error: unknown): Stopped | undefined {
  if (error instanceof Stopped) return error
  return error instanceof Error && error.name === 'AbortError' ? stopIn(error.cause) : undefined
}

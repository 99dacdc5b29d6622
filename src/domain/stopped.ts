/** Work was stopped on request, by Ctrl-C or a signal; not a failure. */
export class Stopped extends Error {}

/** Aborted work rejects with an AbortError whose cause is the stop. */
export function stopIn(error: unknown): Stopped | undefined {
  if (error instanceof Stopped) return error
  return error instanceof Error && error.name === 'AbortError' ? stopIn(error.cause) : undefined
}

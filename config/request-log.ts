/** Bounds of the log of requests. Data, not code. */
export const requestLogBounds = {
  /** From a call to the write: what a killed process loses at most. */
  flushMs: 1_000,
  /** Calls of one key that are written within that time; of more only the first are. */
  perKeyAtOnce: 50,
  /** Calls that one process holds while the database is away; more are not written. */
  heldMax: 5_000,
  /** Of each key the newest are kept, once an hour. */
  keptPerKey: 10_000,
} as const

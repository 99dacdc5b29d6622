/** Limits of the request log. Data, not code. */
export const requestLogBounds = {
  /** From a request to its write; a killed process loses at most this much. */
  flushMs: 1_000,
  /** Requests of one key written per interval; only the first ones are. */
  perKeyAtOnce: 50,
  /** Requests that one process buffers while the database is unavailable; further ones are not written. */
  heldMax: 5_000,
  /** Newest requests kept per key, trimmed once an hour. */
  keptPerKey: 10_000,
} as const

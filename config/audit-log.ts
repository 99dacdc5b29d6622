/** Limits of the audit log: how long accesses are buffered before they are written, and how many may be buffered. */
export const auditLogBounds = {
  /** Milliseconds from the first access to the write; a killed process loses at most this much time. */
  flushMs: 1_000,
  /** Identifiers per row of the audit log; further ones go into more rows. */
  identifiersMax: 500,
  /** Identifiers and rows that one process buffers before the next reader has to wait for the write. */
  heldMax: 100_000,
  /** Window in milliseconds over which rejected requests are counted together. */
  refusalWindowMs: 60_000,
  /** Origins of rejected requests that get their own row per window; all others share one row with their count. */
  refusalSourcesMax: 50,
  /** Rows that one step adds to the hash chain. */
  sealedAtOnce: 5_000,
} as const

/** Bounds of the audit log: how long readings are gathered before they are written, and how much may be gathered. */
export const auditLogBounds = {
  /** Milliseconds from the first reading to the write: what a killed process loses at most, in time. */
  flushMs: 1_000,
  /** Identifiers in one row of the audit log; more make more rows. */
  identifiersMax: 500,
  /** Identifiers and rows that one process holds before whoever reads next waits for the write. */
  heldMax: 100_000,
  /** Milliseconds over which refusals are counted together. */
  refusalWindowMs: 60_000,
  /** Sources of refusals that get a row of their own within a window; all others share one row with their count. */
  refusalSourcesMax: 50,
  /** Rows that one step takes into the chain. */
  sealedAtOnce: 5_000,
} as const

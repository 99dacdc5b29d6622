/**
 * Rate limiting of the calls to one CRM account: consulted before each call, and updated from the vendor's headers
 * after it.
 */

export interface LimitReport {
  readonly dailyUsed: number | null
  readonly dailyLimit: number | null
}

/** Calls that the vendor allows in any window of this many milliseconds. */
export interface Pace {
  readonly calls: number
  readonly perMs: number
}

/** Consulted before every call to the CRM; resolves when the call may be sent. */
export interface CallGate {
  /** @throws AppError CRM_UNAVAILABLE with retry.afterMs if the wait is too long for a job. */
  take(calls: number, signal: AbortSignal): Promise<void>
  /** Reports what the vendor's headers said; a pace replaces the connector's own. */
  observe(report: LimitReport & { readonly blockedForMs?: number; readonly pace?: Pace }): void
}

/** What paces the calls to one account of a CRM: asked before each, told what the vendor's headers said after it. */

export interface LimitReport {
  readonly dailyUsed: number | null
  readonly dailyLimit: number | null
}

/** Calls that the vendor admits in any window of so many milliseconds. */
export interface Pace {
  readonly calls: number
  readonly perMs: number
}

/** Asked before every call to the CRM; resolves when the call may go out. */
export interface CallGate {
  /** @throws AppError CRM_UNAVAILABLE with retry.afterMs when the wait would be longer than a job should hold. */
  take(calls: number, signal: AbortSignal): Promise<void>
  /** Reports what the vendor's headers said; a pace takes the place of the connector's own. */
  observe(report: LimitReport & { readonly blockedForMs?: number; readonly pace?: Pace }): void
}

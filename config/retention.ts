/** How long what is past is kept. Data only; `jobs/sweep-expired.ts` applies it. */
export interface Retention {
  /**
   * Years for which registers can be read as of a day; null keeps history for good. Older changes are thinned out to one
   * row per record, and reads of days before that are refused.
   */
  readonly historyYears: number | null
}

export const retention: Retention = { historyYears: null }

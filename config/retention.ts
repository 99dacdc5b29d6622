/**
 * How long past data is kept, by class: one table, which the sweeps read (`jobs/sweep-expired.ts`). Data only. A period
 * starts when a row is done: a session at its end, a rejected row at the end of its run, a row of the audit log at its
 * time.
 */
export type Period = `${number} ${'minutes' | 'hours' | 'days' | 'years'}`

export const retention = {
  /**
   * Logs of processing: rule 8(3) of the DPDP Rules 2025 requires at least a year, and the database accepts no less.
   */
  audit: '400 days',
  sessions: '1 days',
  /** Operators' browser sessions; the audit log keeps who signed in. */
  consoleSessions: '1 days',
  /** Printed links; a code expires a quarter of an hour after it was created. */
  consoleCodes: '1 days',
  /** Mailed links, from their expiry. */
  signInCodes: '1 days',
  /** Requests for a link, which are counted for a quarter of an hour. */
  signInRequests: '1 hours',
  /** Sign-ins at a CRM's own page that were started; one expires ten minutes after it was created. */
  consents: '1 days',
  idempotentAnswers: '24 hours',
  minuteUsage: '5 minutes',
  dailyUsage: '90 days',
  loginFailures: '24 hours',
  /** Requests made with accounts' keys. */
  requests: '7 days',
  /** From the last token signed. */
  signingKeys: '1 days',
  /** What was sent for a lead and how the CRM responded, from the response. */
  deliveryAttempts: '30 days',
  /** Webhook events with their responses; until then an event can be replayed. */
  webhookEvents: '90 days',
  /** E-mails sent to accounts: content and time. */
  mails: '90 days',
  /** Operators' alerts and their outcome. */
  alerts: '90 days',
  /** Rows that a run rejected, as they were in the file; the run itself and its counts stay. */
  rejects: '180 days',
  /** Files that operators uploaded, from their last use; one that an open run still needs is kept longer. */
  uploads: '7 days',
  /**
   * How far back the registers can be read as of a day; null keeps history forever. Older changes are thinned out to
   * one row per record, and reads of days before that are rejected.
   */
  history: null,
} as const satisfies Readonly<Record<string, Period | null>>

export type RetainedClass = keyof typeof retention

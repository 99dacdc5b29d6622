/**
 * How long what is past is kept, by class of data: one table, which the sweeps read (`jobs/sweep-expired.ts`). Data only. A period counts from
 * when the row had done its work: a session from its end, a reject from the end of its run, a row of the audit log from its time.
 */
export type Period = `${number} ${'minutes' | 'hours' | 'days' | 'years'}`

export const retention = {
  /** Logs of processing: rule 8(3) of the DPDP Rules 2025 asks for a year at least, and the database refuses less. */
  audit: '400 days',
  sessions: '1 days',
  /** Of operators' browsers: the audit log keeps who signed in. */
  consoleSessions: '1 days',
  /** Of printed links; a code is over a quarter of an hour after it was made. */
  consoleCodes: '1 days',
  /** Of mailed links, from their end. */
  signInCodes: '1 days',
  /** That a link was asked for, which is counted for a quarter of an hour. */
  signInRequests: '1 hours',
  /** Sign-ins at a CRM's own page that were begun; one is over ten minutes after it was made. */
  consents: '1 days',
  idempotentAnswers: '24 hours',
  minuteUsage: '5 minutes',
  dailyUsage: '90 days',
  loginFailures: '24 hours',
  /** What keys of accounts called. */
  requests: '7 days',
  /** After the last token that they signed. */
  signingKeys: '1 days',
  /** What was sent for a lead and what the CRM answered, since the answer. */
  deliveryAttempts: '30 days',
  /** Events that webhooks were told, with their answers; within it one can be replayed. */
  webhookEvents: '90 days',
  /** What accounts were told by e-mail: what was told, and when. */
  mails: '90 days',
  /** What operators were notified of, and how it went. */
  alerts: '90 days',
  /** Rows that a run refused, as the file had them; the run itself and its counts stay. */
  rejects: '180 days',
  /** Files that operators uploaded, since their last use; one that an open run is to read is kept longer. */
  uploads: '7 days',
  /**
   * How far back the registers can be read as of a day; null keeps history for good. Older changes are thinned out to one
   * row per record, and reads of days before that are refused.
   */
  history: null,
} as const satisfies Readonly<Record<string, Period | null>>

export type RetainedClass = keyof typeof retention

/** How webhooks share what calls them: so many at a time, and what one account or one host gets of these. Data, not code. */
export const webhookBounds = {
  /** Calls of one job at a time. */
  atOnce: 20,
  /** Of these, to the webhooks of one account, and to one host. */
  share: 4,
  /** A call without an answer by then has failed. */
  timeoutMs: 10_000,
  /** An answer that takes as long counts as an answer, and as a failure of its host. */
  slowMs: 5_000,
  /** Failures of a host in a row, before it is paused. Then one call at a time tries it. */
  failuresMax: 3,
  /** Doubles with each further failure, up to the last. */
  pauseSeconds: 30,
  pauseSecondsMax: 900,
  /** What waits for a paused host is given up after as long as its tries would take elsewhere. */
  giveUpDays: 3,
  /** Of one account. */
  perAccountMax: 10,
  /** Of one event. */
  replaysMax: 10,
  /** Events of one account that are asked for, to try a receiver. */
  testsPerHour: 60,
} as const

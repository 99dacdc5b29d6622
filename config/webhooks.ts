/** How webhook calls are limited: how many at a time, and the share of one account or one host. Data, not code. */
export const webhookBounds = {
  /** Concurrent calls of one job. */
  atOnce: 20,
  /** Of these, to the webhooks of one account, and to one host. */
  share: 4,
  /** A call without a response by then has failed. */
  timeoutMs: 10_000,
  /** A response that takes this long counts as delivered, but as a failure of its host. */
  slowMs: 5_000,
  /** Consecutive failures of a host before it is paused. Then one call at a time probes it. */
  failuresMax: 3,
  /** Doubles with each further failure, up to the maximum. */
  pauseSeconds: 30,
  pauseSecondsMax: 900,
  /** Events waiting for a paused host are dropped when their attempts at another host would be used up. */
  giveUpDays: 3,
  /** Webhooks per account. */
  perAccountMax: 10,
  /** Replays per event. */
  replaysMax: 10,
  /** Test events that one account may request, to try a receiver. */
  testsPerHour: 60,
} as const

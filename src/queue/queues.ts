/**
 * Every queue on one page: payload, retries, backoff, heartbeat, expiry, dead letters. Producers import this file,
 * never a handler.
 */
import { z } from 'zod'
import { entityTypes } from '../domain/identity.ts'

export interface QueueDefinition<P extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly payload: P
  /** Attempts after the first. */
  readonly retryLimit: number
  /** Seconds before the first retry; doubles with jitter up to retryDelayMaxSeconds. */
  readonly retryDelaySeconds: number
  readonly retryDelayMaxSeconds: number
  /** A worker silent for this long is considered dead, and its job runs again; at least 10. */
  readonly heartbeatSeconds: number
  /** Maximum duration of one attempt. */
  readonly expireSeconds: number
  /** `singleton`: one active job per singletonKey. */
  readonly policy: 'standard' | 'singleton'
  /** Jobs of this queue that one worker process runs at a time. */
  readonly concurrency: number
  /**
   * `recorded`: the row being worked on records the failure and its reason, so a permanent failure makes no dead
   * letter.
   */
  readonly failures: 'dead-letter' | 'recorded'
}

const defaults = {
  retryLimit: 5,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 300,
  heartbeatSeconds: 10,
  expireSeconds: 900,
  policy: 'standard',
  concurrency: 2,
  failures: 'dead-letter',
} as const

const queue = <P extends z.ZodType>(
  name: string,
  payload: P,
  options: Partial<Omit<QueueDefinition, 'name' | 'payload'>> = {},
): QueueDefinition<P> => ({ ...defaults, ...options, name, payload })

export const queues = {
  /** One registry snapshot, fetch to merge. singletonKey: the source, so runs of one source never overlap. */
  ingestSnapshot: queue('ingest-snapshot', z.strictObject({ runId: z.number().int() }), {
    policy: 'singleton',
    // A rejected file is a failed run, which `panji runs` shows with its reason.
    failures: 'recorded',
    expireSeconds: 6 * 3600,
    // A worker that dies uses up an attempt, too. Short delays keep recovery as quick after the tenth crash as after
    // the first; many attempts outlast a source or a database that is unavailable for some minutes.
    retryLimit: 20,
    retryDelayMaxSeconds: 8,
  }),
  /** Stops a run that an operator cancelled while one of its steps had the row locked. */
  cancelRun: queue('cancel-run', z.strictObject({ runId: z.number().int(), by: z.string() })),
  /** Ends the runs whose job failed for good because its workers died. */
  endLostRuns: queue('end-lost-runs', z.strictObject({})),
  /**
   * Collects the words of a register's names after a merge, for searches within names; of all registers if no entity is
   * given.
   */
  collectWords: queue('collect-words', z.strictObject({ entity: z.enum(entityTypes).optional() }), {
    expireSeconds: 3600,
  }),
  /** Evaluates for standing orders what an import changed, after collecting its register's words. */
  evaluateImport: queue(
    'evaluate-import',
    z.strictObject({ runId: z.number().int(), entity: z.enum(entityTypes).optional() }),
    { expireSeconds: 3600 },
  ),
  /** Buys one open run of a standing order. Open runs are rows, so a lost job is enqueued again. */
  buyStandingRun: queue('buy-standing-run', z.strictObject({ runId: z.number().int(), standingOrderId: z.string() }), {
    failures: 'recorded',
  }),
  /** Starts the budgets of a new day, runs due schedules and sends digests. */
  keepStandingOrders: queue('keep-standing-orders', z.strictObject({}), { concurrency: 1 }),
  /** Builds the lead rows of a paid order. */
  buildLeads: queue('build-leads', z.strictObject({ orderId: z.string() })),
  /** Erases from CRMs the records of people who objected. Many attempts, since a CRM may be unavailable for hours. */
  recallLeads: queue('recall-leads', z.strictObject({}), { expireSeconds: 3600, retryLimit: 20, concurrency: 1 }),
  /**
   * Wakes the reconciler of one destination. Its work is stored in tables, so a wake-up that fails or dies with its
   * worker is repeated until one succeeds.
   */
  deliverLeads: queue('deliver-leads', z.strictObject({ destinationId: z.string() }), {
    failures: 'recorded',
    expireSeconds: 3600,
    retryLimit: 100_000,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 8,
    concurrency: 4,
  }),
  /** Reads records that CRMs rejected from the registers again. The stale ones are marked in the tables. */
  refreshRejected: queue('refresh-rejected', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /**
   * Reads delivered records that an import changed again, for destinations that are kept fresh. They are marked in the
   * tables.
   */
  refreshDelivered: queue('refresh-delivered', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /** Sends events to accounts' webhooks. The due ones are rows. */
  sendNotices: queue('send-notices', z.strictObject({}), { failures: 'recorded', retryDelayMaxSeconds: 60 }),
  /** Sends e-mails to accounts. The due ones are rows. */
  sendMails: queue('send-mails', z.strictObject({}), {
    failures: 'recorded',
    retryDelayMaxSeconds: 60,
    concurrency: 1,
  }),
  /**
   * Checks the conditions that operators are alerted to. A failed check needs no retry: the next one finds the same.
   */
  watchConditions: queue('watch-conditions', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /** Sends operators' alerts. The due ones are rows. */
  sendAlerts: queue('send-alerts', z.strictObject({}), {
    failures: 'recorded',
    retryDelayMaxSeconds: 60,
    concurrency: 1,
  }),
  /** Fetches a source's snapshot from a fixed address. Enqueued by schedules. */
  fetchSource: queue(
    'fetch-source',
    z.strictObject({
      source: z.string(),
      input: z.string(),
      sealed: z.string().optional(),
      mode: z.enum(['snapshot', 'delta']).optional(),
    }),
  ),
  /** Lowers the day as of which a partition counts as complete. Waits for a run of the source in progress. */
  lowerScope: queue(
    'lower-scope',
    z.strictObject({
      source: z.string(),
      to: z.string(),
      scopes: z.array(z.string()).optional(),
      reason: z.string(),
      by: z.union([z.literal('operator'), z.templateLiteral(['operator:', z.string()])]),
    }),
  ),
  /** Runs a schedule's job now. An HTTP request cannot read the job's sealed payload, so it enqueues this. */
  runSchedule: queue('run-schedule', z.strictObject({ name: z.string() })),
  /** Carries out what an operator decided over HTTP about dead letters. Skips ids that no longer exist. */
  settleDeadLetters: queue(
    'settle-dead-letters',
    z.strictObject({ act: z.enum(['redrive', 'discard']), jobIds: z.array(z.string()) }),
  ),
  /** Expires credits, and books the money of those that were spent. */
  closeLedgerDay: queue('close-ledger-day', z.strictObject({})),
  /** Renews subscriptions and ends those that are over. */
  keepSubscriptions: queue('keep-subscriptions', z.strictObject({}), { concurrency: 1 }),
  /** Asks the payment processor for events that it did not send. */
  reconcilePayments: queue('reconcile-payments', z.strictObject({}), { concurrency: 1 }),
  /** Checks the ledger's invariants. */
  checkLedger: queue('check-ledger', z.strictObject({}), { expireSeconds: 3600 }),
  /** Adds new rows of the audit log to its hash chain. */
  sealAuditLog: queue('seal-audit-log', z.strictObject({})),
  /** Verifies the whole hash chain of the audit log. */
  verifyAuditLog: queue('verify-audit-log', z.strictObject({}), { expireSeconds: 3600 }),
  /** Deletes expired sessions, idempotency keys, usage rows and failed logins. */
  sweepExpired: queue('sweep-expired', z.strictObject({})),
  /**
   * Writes a backup to the configured folder. A large register takes hours, so a failure is reported, not retried all
   * night.
   */
  writeBackup: queue('write-backup', z.strictObject({}), { expireSeconds: 24 * 3600, retryLimit: 1, concurrency: 1 }),
} as const

export type PayloadOf<Q extends QueueDefinition> = z.infer<Q['payload']>

/** Where jobs go that have no retries left or failed with an error of retry `never`. */
export const deadLetterQueue = 'dead-letter'

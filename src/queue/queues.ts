/** Every queue on one page: payload, retry, backoff, heartbeat, expiry, dead letter. Producers import this, never a handler. */
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
  /** A worker that is silent for this long is taken for dead and the job runs again; at least 10. */
  readonly heartbeatSeconds: number
  /** Longest run of one attempt. */
  readonly expireSeconds: number
  /** `singleton`: one active job per singletonKey. */
  readonly policy: 'standard' | 'singleton'
  /** Jobs of this queue that one worker process runs at a time. */
  readonly concurrency: number
  /** `recorded`: the work's own row says that it failed and why, so a failure for good is no dead letter. */
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
    // A refused file is a failed run, which `panji runs` shows with its reason.
    failures: 'recorded',
    expireSeconds: 6 * 3600,
    // A worker that dies uses an attempt up, too. Short delays keep recovery quick after the tenth death as after the
    // first; many attempts outlast a source, or a database, that is away for some minutes.
    retryLimit: 20,
    retryDelayMaxSeconds: 8,
  }),
  /** Stops a run that an operator cancelled while a step of it held its row. */
  cancelRun: queue('cancel-run', z.strictObject({ runId: z.number().int(), by: z.string() })),
  /** Ends the runs whose job died for good with its workers. */
  endLostRuns: queue('end-lost-runs', z.strictObject({})),
  /** The words of a register's names after a merge, for searches within names; of all registers without an entity. */
  collectWords: queue('collect-words', z.strictObject({ entity: z.enum(entityTypes).optional() }), {
    expireSeconds: 3600,
  }),
  /** What an import touched, for standing orders; its register's words first. */
  evaluateImport: queue(
    'evaluate-import',
    z.strictObject({ runId: z.number().int(), entity: z.enum(entityTypes).optional() }),
    { expireSeconds: 3600 },
  ),
  /** One open run of a standing order; what is open stands in the tables, and is sent again. */
  buyStandingRun: queue('buy-standing-run', z.strictObject({ runId: z.number().int(), standingOrderId: z.string() }), {
    failures: 'recorded',
  }),
  /** Budgets of a new day, schedules whose time has come, digests. */
  keepStandingOrders: queue('keep-standing-orders', z.strictObject({}), { concurrency: 1 }),
  /** Lead rows of a paid order. */
  buildLeads: queue('build-leads', z.strictObject({ orderId: z.string() })),
  /** Erases from CRMs what somebody objected to; with many tries, since a CRM may be away for hours. */
  recallLeads: queue('recall-leads', z.strictObject({}), { expireSeconds: 3600, retryLimit: 20, concurrency: 1 }),
  /**
   * Wakes the reconciler of one destination. What it is to do stands in the tables, so an alarm that fails or dies with its
   * worker is rung again until one gets through.
   */
  deliverLeads: queue('deliver-leads', z.strictObject({ destinationId: z.string() }), {
    failures: 'recorded',
    expireSeconds: 3600,
    retryLimit: 100_000,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 8,
    concurrency: 4,
  }),
  /** Reads what CRMs refused from the registers anew; what is stale stands in the tables. */
  refreshRejected: queue('refresh-rejected', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /** Reads delivered records that an import touched anew, for destinations that are kept fresh; what is marked stands in the tables. */
  refreshDelivered: queue('refresh-delivered', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /** Events to accounts' webhooks; what is due stands in the tables. */
  sendNotices: queue('send-notices', z.strictObject({}), { failures: 'recorded', retryDelayMaxSeconds: 60 }),
  /** E-mails to accounts; what is due stands in the tables. */
  sendMails: queue('send-mails', z.strictObject({}), {
    failures: 'recorded',
    retryDelayMaxSeconds: 60,
    concurrency: 1,
  }),
  /** Conditions of the instance that operators are to be told of; what is found the next look finds as well. */
  watchConditions: queue('watch-conditions', z.strictObject({}), { failures: 'recorded', concurrency: 1 }),
  /** Notifications of operators; what is due stands in the tables. */
  sendAlerts: queue('send-alerts', z.strictObject({}), {
    failures: 'recorded',
    retryDelayMaxSeconds: 60,
    concurrency: 1,
  }),
  /** A source's snapshot from a fixed address; schedules enqueue it. */
  fetchSource: queue(
    'fetch-source',
    z.strictObject({ source: z.string(), input: z.string(), sealed: z.string().optional() }),
  ),
  /** Takes back a day as of which a register was said to be seen; it waits for the run of the source that is at work. */
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
  /** The job of a schedule, out of turn: who asked over HTTP cannot read what it is to be given. */
  runSchedule: queue('run-schedule', z.strictObject({ name: z.string() })),
  /** What an operator decided over HTTP about jobs that failed for good; an id that is gone by then is passed over. */
  settleDeadLetters: queue(
    'settle-dead-letters',
    z.strictObject({ act: z.enum(['redrive', 'discard']), jobIds: z.array(z.string()) }),
  ),
  /** Credits whose end has come, and the money of those that were spent. */
  closeLedgerDay: queue('close-ledger-day', z.strictObject({})),
  /** Subscriptions that are renewed, and those that are over. */
  keepSubscriptions: queue('keep-subscriptions', z.strictObject({}), { concurrency: 1 }),
  /** What the payment processor did not tell of. */
  reconcilePayments: queue('reconcile-payments', z.strictObject({}), { concurrency: 1 }),
  /** The proof of the ledger's invariants. */
  checkLedger: queue('check-ledger', z.strictObject({}), { expireSeconds: 3600 }),
  /** Takes the rows of the audit log into its chain. */
  sealAuditLog: queue('seal-audit-log', z.strictObject({})),
  /** Follows the whole chain. */
  verifyAuditLog: queue('verify-audit-log', z.strictObject({}), { expireSeconds: 3600 }),
  /** Expired sessions, idempotency keys, usage rows, login failures. */
  sweepExpired: queue('sweep-expired', z.strictObject({})),
  /** A backup into the folder that the settings name. A large register takes hours; one that failed is told, not repeated all night. */
  writeBackup: queue('write-backup', z.strictObject({}), { expireSeconds: 24 * 3600, retryLimit: 1, concurrency: 1 }),
} as const

export type Queues = typeof queues
export type PayloadOf<Q extends QueueDefinition> = z.infer<Q['payload']>

/** Where jobs go whose retries are used up or whose error says `never`. */
export const deadLetterQueue = 'dead-letter'

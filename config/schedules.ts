/**
 * Schedules that ship with Panji. Operators add their own (`panji schedule add`); cron is evaluated in the given time
 * zone. A source is fetched from an address, or from a watched folder checked every few minutes:
 *
 * @example
 * { name: 'goa', cron: '30 2 * * *', timezone: 'Asia/Kolkata', job: 'fetch-source',
 *   payload: { source: 'mca-companies', input: 'https://example.in/goa.csv' } }
 * @example
 * { name: 'gst-drop', cron: '*\/5 * * * *', timezone: 'Asia/Kolkata', job: 'fetch-source',
 *   payload: { source: 'gst-taxpayers', input: '/srv/panji/gst/*.csv.gz', mode: 'delta' } }
 */
export interface ScheduleDefinition {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  /** Name of a queue in src/queue/queues.ts. */
  readonly job: string
  readonly payload: Readonly<Record<string, unknown>>
}

export const schedules: readonly ScheduleDefinition[] = [
  // Retries what CRMs did not erase at the first attempts.
  { name: 'recall-leads', cron: '50 3 * * *', timezone: 'Asia/Kolkata', job: 'recall-leads', payload: {} },
  { name: 'end-lost-runs', cron: '*/5 * * * *', timezone: 'Asia/Kolkata', job: 'end-lost-runs', payload: {} },
  // Collects the words of names after an upgrade or a lost job; otherwise there is nothing to do.
  { name: 'collect-words', cron: '35 * * * *', timezone: 'Asia/Kolkata', job: 'collect-words', payload: {} },
  { name: 'close-ledger-day', cron: '2 * * * *', timezone: 'Asia/Kolkata', job: 'close-ledger-day', payload: {} },
  {
    name: 'keep-subscriptions',
    cron: '7 * * * *',
    timezone: 'Asia/Kolkata',
    job: 'keep-subscriptions',
    payload: {},
  },
  {
    name: 'keep-standing-orders',
    cron: '* * * * *',
    timezone: 'Asia/Kolkata',
    job: 'keep-standing-orders',
    payload: {},
  },
  {
    name: 'reconcile-payments',
    cron: '*/10 * * * *',
    timezone: 'Asia/Kolkata',
    job: 'reconcile-payments',
    payload: {},
  },
  { name: 'check-ledger', cron: '40 2 * * *', timezone: 'Asia/Kolkata', job: 'check-ledger', payload: {} },
  { name: 'seal-audit-log', cron: '* * * * *', timezone: 'Asia/Kolkata', job: 'seal-audit-log', payload: {} },
  { name: 'watch-conditions', cron: '* * * * *', timezone: 'Asia/Kolkata', job: 'watch-conditions', payload: {} },
  { name: 'verify-audit-log', cron: '25 3 * * *', timezone: 'Asia/Kolkata', job: 'verify-audit-log', payload: {} },
  { name: 'sweep-expired', cron: '17 * * * *', timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} },
  // If PANJI_BACKUP_DIR is set; otherwise there is nothing to do.
  { name: 'write-backup', cron: '20 1 * * *', timezone: 'Asia/Kolkata', job: 'write-backup', payload: {} },
]

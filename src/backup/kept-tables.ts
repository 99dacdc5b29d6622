/**
 * The content of a backup: every table of Panji is either kept, or rebuilt by the restored instance. A test compares
 * this list with the migrated schema. The queue's own tables are left to the queue; queued-jobs.ts carries its jobs.
 */

/** By schema. List a new table here, or below with the reason why nothing is lost without it. */
const kept = {
  access: [
    ...['account', 'activated_offer', 'api_key', 'audit', 'audit_checkpoint', 'audit_proof', 'audit_seal'],
    ...['blocked_address', 'console_code', 'console_session', 'daily_usage', 'entitlement', 'idempotency'],
    ...[
      'login_failure',
      'offer',
      'operator',
      'operator_totp',
      'person',
      'person_totp',
      'recovery_code',
      'screener',
      'session',
      'sign_in_code',
      'sign_in_request',
    ],
    ...['signing_key', 'subscription', 'subscription_term', 'suppression', 'watchlist', 'watchlist_entity'],
  ],
  deliver: [
    ...['adoption', 'consent', 'delivery', 'destination', 'event', 'job_under_way', 'limiter', 'mail', 'mail_choice'],
    'mapping_version',
    ...['notice', 'push', 'recall', 'receipt_key', 'record', 'rotation', 'turn', 'unmatched', 'webhook'],
  ],
  feed: ['industry_count', 'record_count'],
  ingest: ['alias', 'change', 'confirmation', 'history_retention', 'line_offset', 'reject', 'run', 'scope'],
  ledger: ['account', 'closed_month', 'kind', 'lot', 'proof', 'transfer'],
  orders: [
    ...[
      'checkout',
      'dispute',
      'invoice',
      'invoice_counter',
      'item',
      'lead',
      'payment',
      'payment_dispute',
      'payment_event',
    ],
    ...['purchase', 'refund', 'repayment', 'standing_match', 'standing_order', 'standing_query', 'standing_run'],
  ],
  reference: ['hsn', 'nic', 'pincode', 'sac'],
  registry: [
    ...['company', 'contact', 'contact_preference', 'director', 'directorship', 'gst_taxpayer'],
    ...['held_word', 'held_word_state', 'name_word', 'name_word_state', 'version', 'withheld_director'],
  ],
  runtime: ['alert_channel', 'cron_slot', 'schedule', 'secret_canary', 'suppression_key'],
} as const

/** `schema.table`, and why a restored instance does not need its rows. */
export const rebuiltTables: Readonly<Record<string, string>> = {
  'access.minute_usage': 'counts of the last minute',
  'access.request_log': 'the calls of keys in the last week, for debugging',
  'deliver.attempt': 'attempts of the last month; the delivery ledger has each outcome',
  'deliver.receiver': 'found again by the next calls',
  'runtime.alert_message': 'earlier alerts; conditions that still hold are reported again',
  'runtime.condition': 'found again by the next check',
  'runtime.migration': 'the restored database records its own migrations',
  'runtime.sql_function': 'the restored database records its own migrations',
}

export const keptSchemas: readonly string[] = Object.keys(kept)
/** `schema.table`, in a fixed order. */
export const keptTables: readonly string[] = Object.entries(kept).flatMap(([schema, tables]) =>
  tables.map((table) => `${schema}.${table}`),
)

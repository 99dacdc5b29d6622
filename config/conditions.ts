/**
 * What an operator has to know: each condition once, with its threshold, its text and its remedy. The health page, the
 * operators' alerts and the rules of ops/prometheus/alerts.yaml are generated from this list. Data, not code.
 */

/** The series of `/metrics` that a condition reads, and the value from which it holds. */
export interface Threshold {
  readonly series: string
  /** Only samples with one of these label values. */
  readonly where?: Readonly<Record<string, readonly string[]>>
  /** Evaluated separately for each value of these labels. */
  readonly by?: readonly string[]
  /** The samples are divided by those with this label value. */
  readonly shareOf?: { readonly label: string; readonly value: string }
  /** Use the smallest sample, for conditions on values that are too small. */
  readonly pick?: 'min'
  readonly is: '>' | '>=' | '<'
  readonly bound: number
}

export interface Condition {
  /** Type of the alert, `<thing>.<state>`. */
  readonly type: string
  /** Name of its Prometheus rule. */
  readonly alert: string
  readonly severity: 'page' | 'ticket'
  /** Any one suffices. If these are names of series, the condition holds while one of them is missing. */
  readonly when: readonly Threshold[] | readonly string[]
  /** Seconds for which it must have held before it alerts. */
  readonly forSeconds?: number
  /**
   * In Prometheus' template language; `$labels.NAME`, `$value`, `humanizeDuration` and `humanizePercentage` are
   * supported.
   */
  readonly summary: string
  readonly remedy: string
  /** Hours after the first alert at which it is repeated. */
  readonly againAfterHours?: readonly number[]
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** States of payments that need an operator. */
const needsOperator = ['parked', 'mismatch', 'unknown_order', 'disputed', 'charged_back']

/**
 * Sources that are published at least once a month. Lists of places and codes are not, and what operators collect has
 * no date of its own.
 */
const monthly = ['gst-taxpayers', 'mca-companies', 'mca-directors', 'mca-directorships']

export const conditions = [
  {
    type: 'import.needs_approval',
    alert: 'PanjiRunWaitsForApproval',
    severity: 'ticket',
    when: [{ series: 'panji_source_held_age_seconds', by: ['source', 'run'], is: '>=', bound: 0 }],
    summary:
      'import {{ $labels.run }} of {{ $labels.source }} needs approval, waiting for {{ $value | humanizeDuration }}',
    remedy: '`panji runs` shows why. Approve it with `panji approve` or discard it with `panji discard`.',
    againAfterHours: [4, 24],
  },
  {
    type: 'import.failed',
    alert: 'PanjiRunFailed',
    severity: 'ticket',
    when: [{ series: 'panji_ingest_failed_age_seconds', by: ['source', 'run'], is: '>=', bound: 0 }],
    summary: 'import {{ $labels.run }} of {{ $labels.source }} failed {{ $value | humanizeDuration }} ago',
    remedy: '`panji runs` shows the error code; docs/errors.md says how to fix it.',
  },
  {
    type: 'schedule.held',
    alert: 'PanjiScheduleHeld',
    severity: 'ticket',
    when: [{ series: 'panji_schedule_held_age_seconds', by: ['schedule', 'run'], is: '>=', bound: 0 }],
    forSeconds: 10 * minute,
    summary:
      'schedule {{ $labels.schedule }} has been waiting for import {{ $labels.run }} for {{ $value | humanizeDuration }}',
    remedy: '`panji runs` shows why the run waits. Approve it with `panji approve` or discard it with `panji discard`.',
  },
  {
    type: 'schedule.late',
    alert: 'PanjiScheduleLate',
    severity: 'ticket',
    when: [{ series: 'panji_schedule_late_seconds', by: ['schedule'], is: '>', bound: 6 * hour }],
    summary: 'schedule {{ $labels.schedule }} is {{ $value | humanizeDuration }} overdue',
    remedy: '`panji schedules` shows when it last ran. Check that a scheduler and a worker are running.',
  },
  {
    type: 'import.stale',
    alert: 'PanjiSourceStale',
    severity: 'ticket',
    // Set a tighter threshold for sources that publish more often.
    when: [
      {
        ...{ series: 'panji_ingest_last_success_age_seconds', where: { source: monthly } },
        ...{ by: ['source'], is: '>', bound: 45 * day },
      },
    ],
    forSeconds: hour,
    summary: '{{ $labels.source }}: the last successful import was {{ $value | humanizeDuration }} ago',
    remedy: '`panji schedules` shows when it should have been imported.',
  },
  {
    type: 'data.old',
    alert: 'PanjiDataOld',
    severity: 'ticket',
    // The date of the data itself, however often the same file was fetched again.
    when: [
      {
        ...{ series: 'panji_data_age_seconds', where: { source: monthly } },
        ...{ by: ['source'], is: '>', bound: 75 * day },
      },
    ],
    forSeconds: hour,
    summary: '{{ $labels.source }}: the data is {{ $value | humanizeDuration }} old',
    remedy: 'Check whether the source has published a newer file; a run that ends in no_op found no change.',
  },
  {
    type: 'ledger.broken',
    alert: 'PanjiLedgerBroken',
    severity: 'page',
    when: [{ series: 'panji_ledger_violations', is: '>', bound: 0 }],
    summary: 'ledger check failed: invariants violated: {{ $value }}',
    remedy: '`panji ledger check` lists the rows. Stop sales until the cause is known.',
  },
  {
    type: 'ledger.unverified',
    alert: 'PanjiLedgerNotVerified',
    severity: 'ticket',
    when: [{ series: 'panji_ledger_checked_age_seconds', is: '>', bound: 2 * day }],
    forSeconds: 5 * minute,
    summary: 'the ledger was last verified {{ $value | humanizeDuration }} ago',
    remedy: 'The job check-ledger runs nightly. Check that a worker is running and that `panji jobs dead` is empty.',
  },
  {
    type: 'audit.broken',
    alert: 'PanjiAuditBroken',
    severity: 'page',
    when: [{ series: 'panji_audit_broken', is: '>', bound: 0 }],
    summary: "the audit log's hash chain is broken: rows were changed, removed or truncated",
    remedy:
      '`panji audit verify` shows where. Preserve the database and the series panji_audit_proved_place as evidence.',
  },
  {
    type: 'audit.unverified',
    alert: 'PanjiAuditStands',
    severity: 'ticket',
    when: [
      { series: 'panji_audit_unsealed_age_seconds', is: '>', bound: 15 * minute },
      { series: 'panji_audit_verified_age_seconds', is: '>', bound: 2 * day },
    ],
    forSeconds: 5 * minute,
    summary: 'audit log rows have been waiting to be sealed or verified for {{ $value | humanizeDuration }}',
    remedy:
      'The jobs seal-audit-log and verify-audit-log do this. Check that a worker is running and that `panji jobs dead` is empty.',
  },
  {
    type: 'verification.absent',
    alert: 'PanjiVerificationAbsent',
    severity: 'ticket',
    // A new instance has not had its first night yet.
    when: ['panji_ledger_checked_age_seconds', 'panji_audit_verified_age_seconds'],
    forSeconds: 26 * hour,
    summary: 'no process has reported a verified ledger and audit log for a day',
    remedy: 'Run `panji ledger check` and `panji audit verify`; `panji schedules` shows when they should have run.',
  },
  {
    type: 'jobs.dead',
    alert: 'PanjiDeadLetters',
    severity: 'ticket',
    when: [{ series: 'panji_dead_letters', is: '>', bound: 0 }],
    forSeconds: minute,
    summary: 'jobs in the dead-letter queue: {{ $value }}',
    remedy: '`panji jobs dead` lists them with the reason; `panji jobs redrive` runs them again.',
  },
  {
    type: 'queue.late',
    alert: 'PanjiQueueStands',
    severity: 'page',
    when: [{ series: 'panji_queue_oldest_job_age_seconds', by: ['queue'], is: '>', bound: 15 * minute }],
    forSeconds: 5 * minute,
    summary: 'the oldest due job of the queue {{ $labels.queue }} has been waiting for {{ $value | humanizeDuration }}',
    remedy: 'Check with `panji doctor` that a worker is running.',
  },
  {
    type: 'queue.warned',
    alert: 'PanjiQueueWarns',
    severity: 'ticket',
    when: [{ series: 'panji_queue_warnings', by: ['type'], is: '>', bound: 0 }],
    forSeconds: minute,
    summary: 'the job queue reports a warning: {{ $labels.type }}',
    remedy: '`panji doctor` shows the warnings.',
  },
  {
    type: 'destination.broken',
    alert: 'PanjiDestinationBroken',
    severity: 'ticket',
    when: [{ series: 'panji_destinations', where: { status: ['broken'] }, is: '>', bound: 0 }],
    forSeconds: 15 * minute,
    summary: 'broken destinations: {{ $value }}',
    remedy:
      '`panji destination list` shows the reason. Renew the credentials that were refused; deliveries are then retried automatically.',
  },
  {
    type: 'push.failed',
    alert: 'PanjiPushesFail',
    severity: 'ticket',
    when: [{ series: 'panji_pushes', where: { status: ['failed'] }, is: '>', bound: 0 }],
    forSeconds: 5 * minute,
    summary: 'failed pushes in the last day: {{ $value }}',
    remedy: "`panji deliveries rejects` shows the CRM's response; `panji deliveries retry` sends them again.",
  },
  {
    type: 'crm.exhausted',
    alert: 'PanjiCrmCallsRunOut',
    severity: 'ticket',
    when: [{ series: 'panji_crm_daily_calls_share_max', is: '>', bound: 0.9 }],
    forSeconds: 15 * minute,
    summary: 'a CRM account has used {{ $value | humanizePercentage }} of its daily API calls',
    remedy: 'Deliveries to it wait until the next day. Ask its owner for a higher limit, or push less.',
  },
  {
    type: 'delivery.late',
    alert: 'PanjiLeadsWait',
    severity: 'ticket',
    when: [
      {
        ...{ series: 'panji_deliveries_oldest_waiting_age_seconds', where: { status: ['active'] } },
        ...{ is: '>', bound: hour },
      },
    ],
    forSeconds: 15 * minute,
    summary: 'the oldest lead of an active destination has been waiting for {{ $value | humanizeDuration }}',
    remedy:
      "`panji deliveries --outcome pending` lists it. Delivery hours, plans or the CRM's limits may be delaying it.",
  },
  {
    type: 'delivery.incomplete',
    alert: 'PanjiLeadsLackFields',
    severity: 'ticket',
    when: [{ series: 'panji_deliveries_left_out', by: ['destination'], is: '>', bound: 0 }],
    forSeconds: 15 * minute,
    summary:
      'destination {{ $labels.destination }}: leads of the last day delivered without some of their fields: {{ $value }}',
    remedy:
      '`panji deliveries --destination ID` lists the fields and what to change in the CRM; `panji deliveries resend --destination ID` then fills them in.',
  },
  {
    type: 'payment.parked',
    alert: 'PanjiPaymentParked',
    severity: 'ticket',
    when: [
      { series: 'panji_payment_events_open', where: { outcome: needsOperator }, by: ['outcome'], is: '>', bound: 0 },
    ],
    summary: 'payments that need an operator, {{ $labels.outcome }}: {{ $value }}',
    remedy: '`panji payments show` shows why. Answer the dispute, settle them, or close them with a reason.',
  },
  {
    type: 'refusals.waiting',
    alert: 'PanjiRefusalsWait',
    severity: 'ticket',
    when: [{ series: 'panji_reports_open', where: { reported_by: ['system'] }, is: '>', bound: 0 }],
    summary: 'rejected rows whose refund needs a decision: {{ $value }}',
    remedy:
      "Read the CRM's response under Deliveries, then decide: in the console under Reports, or with `panji order reject ACCOUNT`.",
  },
  {
    type: 'backup.late',
    alert: 'PanjiBackupLate',
    severity: 'ticket',
    when: [{ series: 'panji_backup_age_seconds', is: '>', bound: 30 * hour }],
    forSeconds: 5 * minute,
    summary: 'the last backup was written {{ $value | humanizeDuration }} ago',
    remedy: '`panji doctor` shows why; `panji backup FILE --verify-restore` writes one now.',
  },
  {
    type: 'backup.untested',
    alert: 'PanjiRestoreNotTried',
    severity: 'ticket',
    when: [{ series: 'panji_backup_restored_age_seconds', is: '>', bound: 8 * day }],
    forSeconds: 5 * minute,
    summary: 'a restore was last tested {{ $value | humanizeDuration }} ago',
    remedy: '`panji backup FILE --verify-restore` tests one; with DATABASE_URL its role needs CREATEDB.',
  },
  {
    type: 'backup.absent',
    alert: 'PanjiBackupAbsent',
    severity: 'ticket',
    // A new instance has not had its first night yet.
    when: ['panji_backup_age_seconds', 'panji_backup_restored_age_seconds'],
    forSeconds: 30 * hour,
    summary: 'no process has reported a backup, or a tested restore, for more than a day',
    remedy: 'Set PANJI_BACKUP_DIR, or schedule `panji backup FILE --verify-restore` with cron or a systemd timer.',
  },
  {
    type: 'disk.low',
    alert: 'PanjiDiskRunsFull',
    severity: 'page',
    when: [
      {
        ...{ series: 'panji_disk_bytes', where: { state: ['free'] }, shareOf: { label: 'state', value: 'total' } },
        ...{ by: ['instance'], pick: 'min', is: '<', bound: 0.1 },
      },
    ],
    forSeconds: 5 * minute,
    summary: "{{ $labels.instance }}: {{ $value | humanizePercentage }} of the data directory's disk is free",
    remedy: 'Free space or enlarge the disk before the next import; `panji doctor` shows which one.',
  },
  {
    type: 'disk.few_files',
    alert: 'PanjiDiskTakesFewFiles',
    severity: 'page',
    when: [
      {
        ...{ series: 'panji_disk_files', where: { state: ['free'] }, shareOf: { label: 'state', value: 'total' } },
        ...{ by: ['instance'], pick: 'min', is: '<', bound: 0.1 },
      },
    ],
    forSeconds: 5 * minute,
    summary:
      "{{ $labels.instance }}: {{ $value | humanizePercentage }} of the inodes of the data directory's disk are free",
    remedy: 'Remove files (see `df -i`) before the next import; `panji doctor` shows which disk.',
  },
  {
    type: 'replica.late',
    alert: 'PanjiReplicaLags',
    severity: 'ticket',
    when: [{ series: 'panji_database_replica_lag_seconds', by: ['replica'], is: '>', bound: minute }],
    forSeconds: 5 * minute,
    summary: 'standby {{ $labels.replica }} is {{ $value | humanizeDuration }} behind',
    remedy: 'Check its disk and its network: a failover now would lose what it has not received.',
  },
  {
    type: 'transaction.old',
    alert: 'PanjiTransactionOld',
    severity: 'ticket',
    when: [{ series: 'panji_database_oldest_transaction_age_seconds', is: '>', bound: 4 * hour }],
    forSeconds: 5 * minute,
    summary: 'a transaction has been open for {{ $value | humanizeDuration }}',
    remedy:
      'Find it with SELECT pid, application_name, state, xact_start FROM pg_stat_activity ORDER BY xact_start; vacuum cannot remove newer dead rows until it ends.',
  },
  {
    type: 'certificate.ending',
    alert: 'PanjiCertificateEnds',
    severity: 'ticket',
    when: [{ series: 'panji_certificate_left_seconds', by: ['host'], pick: 'min', is: '<', bound: 14 * day }],
    summary: 'the TLS certificate of {{ $labels.host }} expires in {{ $value | humanizeDuration }}',
    remedy: 'Renew it where TLS is terminated; a negative time means that it has expired.',
  },
  {
    type: 'key.ending',
    alert: 'PanjiKeyEnds',
    severity: 'ticket',
    when: [{ series: 'panji_api_keys_ending', is: '>', bound: 0 }],
    summary: 'API keys in use that expire within a week: {{ $value }}',
    remedy: '`panji account key list` lists them. Their accounts should create new ones before these expire.',
  },
] as const satisfies readonly Condition[]

export type ConditionType = (typeof conditions)[number]['type']

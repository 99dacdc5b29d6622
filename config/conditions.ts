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

export const conditions = [
  {
    type: 'import.needs_approval',
    alert: 'PanjiRunWaitsForApproval',
    severity: 'ticket',
    when: [{ series: 'panji_source_held_age_seconds', by: ['source', 'run'], is: '>=', bound: 0 }],
    summary:
      'import {{ $labels.run }} of {{ $labels.source }} needs approval; it has waited for a decision for {{ $value | humanizeDuration }}',
    remedy: '`panji runs` says why; `panji approve` or `panji discard` ends the wait.',
    againAfterHours: [4, 24],
  },
  {
    type: 'import.failed',
    alert: 'PanjiRunFailed',
    severity: 'ticket',
    when: [{ series: 'panji_ingest_failed_age_seconds', by: ['source', 'run'], is: '>=', bound: 0 }],
    summary: 'import {{ $labels.run }} of {{ $labels.source }} failed {{ $value | humanizeDuration }} ago',
    remedy: '`panji runs` gives the code, docs/errors.md its remedy.',
  },
  {
    type: 'schedule.held',
    alert: 'PanjiScheduleHeld',
    severity: 'ticket',
    when: [{ series: 'panji_schedule_held_age_seconds', by: ['schedule', 'run'], is: '>=', bound: 0 }],
    forSeconds: 10 * minute,
    summary:
      'the schedule {{ $labels.schedule }} has been held by import {{ $labels.run }} for {{ $value | humanizeDuration }}',
    remedy: '`panji runs` says why the run waits; `panji approve` or `panji discard` ends the wait.',
  },
  {
    type: 'schedule.late',
    alert: 'PanjiScheduleLate',
    severity: 'ticket',
    when: [{ series: 'panji_schedule_late_seconds', by: ['schedule'], is: '>', bound: 6 * hour }],
    summary: 'the schedule {{ $labels.schedule }} is {{ $value | humanizeDuration }} late',
    remedy: '`panji schedules` says when it last ran; are a scheduler and a worker running?',
  },
  {
    type: 'import.stale',
    alert: 'PanjiSourceStale',
    severity: 'ticket',
    // The registers publish at least once a month; set a tighter threshold for sources that publish more often.
    when: [{ series: 'panji_ingest_last_success_age_seconds', by: ['source'], is: '>', bound: 45 * day }],
    forSeconds: hour,
    summary: '{{ $labels.source }}: the last good import is {{ $value | humanizeDuration }} old',
    remedy: '`panji schedules` says when it should have been imported.',
  },
  {
    type: 'data.old',
    alert: 'PanjiDataOld',
    severity: 'ticket',
    // The date of the data itself, however often the same file was fetched again.
    when: [{ series: 'panji_data_age_seconds', by: ['source'], is: '>', bound: 75 * day }],
    forSeconds: hour,
    summary: '{{ $labels.source }}: its data is of {{ $value | humanizeDuration }} ago',
    remedy: 'Look for a newer file where the source is published; a run that ends in no_op found the old one.',
  },
  {
    type: 'ledger.broken',
    alert: 'PanjiLedgerBroken',
    severity: 'page',
    when: [{ series: 'panji_ledger_violations', is: '>', bound: 0 }],
    summary: 'the ledger breaks {{ $value }} of its invariants',
    remedy: '`panji ledger check` names the rows. Sell nothing until it is clear.',
  },
  {
    type: 'ledger.unverified',
    alert: 'PanjiLedgerNotVerified',
    severity: 'ticket',
    when: [{ series: 'panji_ledger_checked_age_seconds', is: '>', bound: 2 * day }],
    forSeconds: 5 * minute,
    summary: 'the ledger was last verified {{ $value | humanizeDuration }} ago',
    remedy: 'The job check-ledger does it each night: is a worker running, and `panji jobs dead` empty?',
  },
  {
    type: 'audit.broken',
    alert: 'PanjiAuditBroken',
    severity: 'page',
    when: [{ series: 'panji_audit_broken', is: '>', bound: 0 }],
    summary: 'the chain of the audit log is broken: rows were changed, removed or cut off',
    remedy:
      '`panji audit verify` names the place. Keep the database as it is, and the series panji_audit_proved_place.',
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
    summary: 'rows of the audit log have waited {{ $value | humanizeDuration }} for their seal, or for a verification',
    remedy: 'The jobs seal-audit-log and verify-audit-log do it: is a worker running, and `panji jobs dead` empty?',
  },
  {
    type: 'verification.absent',
    alert: 'PanjiVerificationAbsent',
    severity: 'ticket',
    // A new instance has not had its first night yet.
    when: ['panji_ledger_checked_age_seconds', 'panji_audit_verified_age_seconds'],
    forSeconds: 26 * hour,
    summary: 'no process has reported a verified ledger and audit log for a day',
    remedy:
      '`panji ledger check` and `panji audit verify` do it now; `panji schedules` says when they should have run.',
  },
  {
    type: 'jobs.dead',
    alert: 'PanjiDeadLetters',
    severity: 'ticket',
    when: [{ series: 'panji_dead_letters', is: '>', bound: 0 }],
    forSeconds: minute,
    summary: 'jobs that failed for good: {{ $value }}',
    remedy: '`panji jobs dead` lists them with the reason, `panji jobs redrive` runs them again.',
  },
  {
    type: 'queue.late',
    alert: 'PanjiQueueStands',
    severity: 'page',
    when: [{ series: 'panji_queue_oldest_job_age_seconds', by: ['queue'], is: '>', bound: 15 * minute }],
    forSeconds: 5 * minute,
    summary: 'the oldest due job of {{ $labels.queue }} has waited {{ $value | humanizeDuration }}',
    remedy: 'Is a worker running? `panji doctor` says so.',
  },
  {
    type: 'queue.warned',
    alert: 'PanjiQueueWarns',
    severity: 'ticket',
    when: [{ series: 'panji_queue_warnings', by: ['type'], is: '>', bound: 0 }],
    forSeconds: minute,
    summary: 'the queue warns of {{ $labels.type }}',
    remedy: '`panji doctor` shows its warnings.',
  },
  {
    type: 'destination.broken',
    alert: 'PanjiDestinationBroken',
    severity: 'ticket',
    when: [{ series: 'panji_destinations', where: { status: ['broken'] }, is: '>', bound: 0 }],
    forSeconds: 15 * minute,
    summary: 'destinations that are broken: {{ $value }}',
    remedy: '`panji destination list` gives the reason; renew what was refused, it is tried again automatically.',
  },
  {
    type: 'push.failed',
    alert: 'PanjiPushesFail',
    severity: 'ticket',
    when: [{ series: 'panji_pushes', where: { status: ['failed'] }, is: '>', bound: 0 }],
    forSeconds: 5 * minute,
    summary: 'pushes that failed within a day: {{ $value }}',
    remedy: '`panji deliveries rejects` shows what the CRM responded, `panji deliveries retry` sends them again.',
  },
  {
    type: 'crm.exhausted',
    alert: 'PanjiCrmCallsRunOut',
    severity: 'ticket',
    when: [{ series: 'panji_crm_daily_calls_share_max', is: '>', bound: 0.9 }],
    forSeconds: 15 * minute,
    summary: 'a CRM account has used {{ $value | humanizePercentage }} of its calls of the day',
    remedy: 'Deliveries into it wait for the next day; ask its owner for more calls, or push less.',
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
    summary: 'the oldest lead of an active destination has waited {{ $value | humanizeDuration }}',
    remedy: '`panji deliveries --outcome pending` names it; hours, plans and limits of its CRM may hold it.',
  },
  {
    type: 'delivery.incomplete',
    alert: 'PanjiLeadsLackFields',
    severity: 'ticket',
    when: [{ series: 'panji_deliveries_left_out', by: ['destination'], is: '>', bound: 0 }],
    forSeconds: 15 * minute,
    summary:
      'leads of the last day that destination {{ $labels.destination }} was delivered without some fields: {{ $value }}',
    remedy:
      '`panji deliveries --destination ID` names the fields and what to do in the CRM; `panji deliveries resend --destination ID` fills them afterwards.',
  },
  {
    type: 'payment.parked',
    alert: 'PanjiPaymentParked',
    severity: 'ticket',
    when: [
      { series: 'panji_payment_events_open', where: { outcome: needsOperator }, by: ['outcome'], is: '>', bound: 0 },
    ],
    summary: 'payments that wait for an operator, {{ $labels.outcome }}: {{ $value }}',
    remedy: '`panji payments show` says why. Answer the dispute, settle them, or close them with a reason.',
  },
  {
    type: 'refusals.waiting',
    alert: 'PanjiRefusalsWait',
    severity: 'ticket',
    when: [{ series: 'panji_reports_open', where: { reported_by: ['system'] }, is: '>', bound: 0 }],
    summary: 'rejected rows that wait for an operator, with their credits: {{ $value }}',
    remedy:
      'See in the deliveries what the CRM said, then decide them: in the console under Reports, or `panji order reject ACCOUNT`.',
  },
  {
    type: 'backup.late',
    alert: 'PanjiBackupLate',
    severity: 'ticket',
    when: [{ series: 'panji_backup_age_seconds', is: '>', bound: 30 * hour }],
    forSeconds: 5 * minute,
    summary: 'the last backup was written {{ $value | humanizeDuration }} ago',
    remedy: '`panji doctor` says why; `panji backup FILE --verify-restore` writes one now.',
  },
  {
    type: 'backup.untested',
    alert: 'PanjiRestoreNotTried',
    severity: 'ticket',
    when: [{ series: 'panji_backup_restored_age_seconds', is: '>', bound: 8 * day }],
    forSeconds: 5 * minute,
    summary: 'the last backup whose restore was tried is {{ $value | humanizeDuration }} old',
    remedy: '`panji backup FILE --verify-restore` tries one; with DATABASE_URL its login needs CREATEDB.',
  },
  {
    type: 'backup.absent',
    alert: 'PanjiBackupAbsent',
    severity: 'ticket',
    // A new instance has not had its first night yet.
    when: ['panji_backup_age_seconds', 'panji_backup_restored_age_seconds'],
    forSeconds: 30 * hour,
    summary: 'no process has reported a backup, or a tested restore, for more than a day',
    remedy: 'Set PANJI_BACKUP_DIR, or run `panji backup FILE --verify-restore` from a timer of the machine.',
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
    remedy: 'Free space or enlarge the disk before the next import; `panji doctor` names it.',
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
      "{{ $labels.instance }}: {{ $value | humanizePercentage }} of the files that the data directory's disk takes are free",
    remedy: 'Remove files (`df -i`) before the next import; `panji doctor` names the disk.',
  },
  {
    type: 'replica.late',
    alert: 'PanjiReplicaLags',
    severity: 'ticket',
    when: [{ series: 'panji_database_replica_lag_seconds', by: ['replica'], is: '>', bound: minute }],
    forSeconds: 5 * minute,
    summary: 'the standby {{ $labels.replica }} is {{ $value | humanizeDuration }} behind',
    remedy: 'See its disk and its network: after a failover, what it lacks is gone.',
  },
  {
    type: 'transaction.old',
    alert: 'PanjiTransactionOld',
    severity: 'ticket',
    when: [{ series: 'panji_database_oldest_transaction_age_seconds', is: '>', bound: 4 * hour }],
    forSeconds: 5 * minute,
    summary: 'a transaction has been open for {{ $value | humanizeDuration }}',
    remedy:
      'SELECT pid, application_name, state, xact_start FROM pg_stat_activity ORDER BY xact_start; nothing is vacuumed before it ends.',
  },
  {
    type: 'certificate.ending',
    alert: 'PanjiCertificateEnds',
    severity: 'ticket',
    when: [{ series: 'panji_certificate_left_seconds', by: ['host'], pick: 'min', is: '<', bound: 14 * day }],
    summary: 'the certificate of {{ $labels.host }} ends in {{ $value | humanizeDuration }}',
    remedy: 'Renew it where the connections of browsers end; a negative time has passed already.',
  },
  {
    type: 'key.ending',
    alert: 'PanjiKeyEnds',
    severity: 'ticket',
    when: [{ series: 'panji_api_keys_ending', is: '>', bound: 0 }],
    summary: 'API keys in use that end within a week: {{ $value }}',
    remedy: '`panji account key list` names them; their accounts make new ones before these end.',
  },
] as const satisfies readonly Condition[]

export type ConditionType = (typeof conditions)[number]['type']

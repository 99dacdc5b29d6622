/** Every job of Panji, in one explicit list. */
import type { FetchBounds } from '../config/input-bounds.ts'
import type { Connector } from '../connectors/contract.ts'
import type { Db } from '../src/db/db.ts'
import type { Secret } from '../src/domain/secret.ts'
import type { SmtpSettings } from '../src/notify/mails/smtp.ts'
import type { AlertAddress } from '../src/notify/operators/alert-address.ts'
import type { Job } from '../src/queue/define-job.ts'
import type { QueueHandle } from '../src/queue/queue.ts'
import { buildLeadsJob } from './build-leads.ts'
import { buyStandingRunJob } from './buy-standing-run.ts'
import { cancelRunJob } from './cancel-run.ts'
import { checkLedgerJob } from './check-ledger.ts'
import { closeLedgerDayJob } from './close-ledger-day.ts'
import { collectWordsJob } from './collect-words.ts'
import { deliverLeadsJob } from './deliver-leads.ts'
import { endLostRunsJob } from './end-lost-runs.ts'
import { recallLeadsJob } from './erase-recalled.ts'
import { evaluateImportJob } from './evaluate-import.ts'
import { fetchSourceJob } from './fetch-source.ts'
import { ingestSnapshotJob } from './ingest-snapshot.ts'
import { keepStandingOrdersJob } from './keep-standing-orders.ts'
import { keepSubscriptionsJob } from './keep-subscriptions.ts'
import { lowerScopeJob } from './lower-scope.ts'
import { type PaymentJobOptions, reconcilePaymentsJob } from './reconcile-payments.ts'
import { refreshDeliveredJob } from './refresh-delivered.ts'
import { refreshRejectedJob } from './refresh-rejected.ts'
import { runScheduleJob } from './run-schedule.ts'
import { sealAuditLogJob } from './seal-audit-log.ts'
import { sendAlertsJob } from './send-alerts.ts'
import { sendMailsJob } from './send-mails.ts'
import { sendNoticesJob } from './send-notices.ts'
import { settleDeadLettersJob } from './settle-dead-letters.ts'
import { sweepExpiredJob } from './sweep-expired.ts'
import { verifyAuditLogJob } from './verify-audit-log.ts'
import { watchConditionsJob } from './watch-conditions.ts'
import { type BackupJobOptions, writeBackupJob } from './write-backup.ts'

export interface JobOptions extends PaymentJobOptions, BackupJobOptions {
  /** As the role that sells, settles and renews; without it, those jobs wait for a worker that has one. */
  readonly tradeDb?: Db | undefined
  /** Folder for downloads. */
  readonly dataDir: string
  readonly allowPrivateSources: boolean
  /** Overrides of config/input-bounds.ts. */
  readonly bounds: Partial<FetchBounds>
  readonly leadSource: string
  readonly queue: QueueHandle
  readonly connectors: readonly Connector[]
  readonly secretKey: Secret
  /** Sends e-mail; undefined if not configured. */
  readonly smtp?: SmtpSettings | undefined
  /** Alert channels from the environment. */
  readonly alertChannels?: readonly AlertAddress[] | undefined
  /** Origin under which browsers reach this Panji. */
  readonly publicUrl?: string | undefined
}

export function buildJobs(options: JobOptions): readonly Job[] {
  return [
    recallLeadsJob(options),
    fetchSourceJob(options),
    ingestSnapshotJob(options),
    cancelRunJob(options),
    endLostRunsJob,
    collectWordsJob,
    evaluateImportJob,
    buildLeadsJob(options),
    checkLedgerJob,
    deliverLeadsJob(options),
    refreshRejectedJob(options),
    refreshDeliveredJob(options),
    sendNoticesJob({ secretKey: options.secretKey, allowPrivate: options.allowPrivateSources }),
    sendMailsJob(options),
    watchConditionsJob({ ...options, channels: options.alertChannels ?? [], publicUrl: options.publicUrl }),
    sendAlertsJob({
      ...options,
      allowPrivate: options.allowPrivateSources,
      smtp: options.smtp,
      publicUrl: options.publicUrl,
    }),
    closeLedgerDayJob,
    lowerScopeJob,
    runScheduleJob,
    sealAuditLogJob(options),
    verifyAuditLogJob(options),
    settleDeadLettersJob(options),
    sweepExpiredJob(options),
    writeBackupJob(options),
    ...(options.tradeDb
      ? [
          keepSubscriptionsJob(options.tradeDb),
          buyStandingRunJob(options.tradeDb),
          keepStandingOrdersJob(options.tradeDb),
          reconcilePaymentsJob(options),
        ]
      : []),
  ]
}

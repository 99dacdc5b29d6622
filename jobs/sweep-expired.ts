/**
 * sweep-expired deletes what has passed its retention in config/retention.ts: ended sessions, old idempotency keys,
 * usage, failed logins, calls of keys, rejected rows, uploaded files, delivery attempts, webhook events, history, and
 * rows of the audit log, whose chain continues from a checkpoint.
 */
import { retention } from '../config/retention.ts'
import { sweepRequests } from '../src/access/request-log/sweep-requests.ts'
import { sweepExpired } from '../src/access/sweep-expired.ts'
import { pruneAuditLog } from '../src/audit/prune-audit-log.ts'
import { sweepAttempts } from '../src/deliver/record/attempts/sweep-attempts.ts'
import { keepHistory } from '../src/ingest/after/prune-history.ts'
import { sweepRejects } from '../src/ingest/after/sweep-rejects.ts'
import { sweepUploads } from '../src/ingest/input/uploads.ts'
import { sweepMails } from '../src/notify/mails/send-mails.ts'
import { sweepAlerts } from '../src/notify/operators/send-alerts.ts'
import { sweepEvents } from '../src/notify/webhooks/sweep-events.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const sweepExpiredJob = ({ dataDir }: { readonly dataDir: string }) =>
  defineJob(queues.sweepExpired, async (_payload, { db }) => ({
    ...(await sweepExpired(db)),
    requests: await sweepRequests(db, retention.requests),
    rejects: await sweepRejects(db, retention.rejects),
    uploads: await sweepUploads(db, dataDir, retention.uploads),
    historyChanges: await keepHistory(db, retention.history),
    deliveryAttempts: await sweepAttempts(db, retention.deliveryAttempts),
    webhookEvents: await sweepEvents(db, retention.webhookEvents),
    alerts: await sweepAlerts(db, retention.alerts),
    mails: await sweepMails(db, retention.mails),
    auditLogRows: await pruneAuditLog(db, retention.audit),
  }))

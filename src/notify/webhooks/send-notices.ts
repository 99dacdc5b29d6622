/**
 * Sends due notices in the Standard Webhooks format: ID, time and an HMAC of both and the body. Anything but a 2xx is
 * retried for three days. A notice is leased for a minute, so that it is sent again if the sender dies: the receiver
 * recognises repeats by the ID. Accounts and hosts each have a share of the concurrent calls, so that a slow one does
 * not delay others; receivers.ts handles those that do not answer at all.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { webhookBounds } from '../../../config/webhooks.ts'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { Secret } from '../../domain/secret.ts'
import { isSealedUnder } from '../../secrets/canary.ts'
import { unseal } from '../../secrets/seal.ts'
import { retryWaits } from '../retry-waits.ts'
import { post } from './outgoing.ts'
import { forgetHosts, giveUpNotices, noteAnswer } from './receivers.ts'
import { signedHeaders } from './signed-headers.ts'
import { webhookUse } from './webhooks.ts'

export interface DueNotice {
  readonly eventId: string
  readonly webhookId: string
  readonly accountId: string
  readonly host: string
  readonly url: string
  readonly secret: Buffer
  readonly type: string
  readonly data: object
  readonly createdAt: Date
  readonly attempts: number
  readonly isTest: boolean
}

/** The receiver's response: the status, or null and why there was none. */
export interface Sent {
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
}

export interface NoticeParts {
  readonly db: Db
  readonly secretKey: Secret
  readonly allowPrivate: boolean
}

const dueNotices = sqlFile(import.meta.url, 'due-notices.sql')
/** New ones do not wait for calls in progress. */
const lookAgainMs = 1_000

export async function sendNotices(parts: NoticeParts, signal: AbortSignal): Promise<{ readonly sent: number }> {
  await giveUpNotices(parts.db)
  await forgetHosts(parts.db)
  const underWay = new Map<Promise<void>, DueNotice>()
  let sent = 0
  try {
    for (;;) {
      for (const notice of signal.aborted ? [] : await takeDue(parts, [...underWay.values()])) {
        const call = sendOne(parts, notice, signal)
          .then(() => undefined)
          .finally(() => underWay.delete(call))
        underWay.set(call, notice)
        sent++
      }
      if (underWay.size === 0) return { sent }
      await Promise.race([...underWay.keys(), delay(lookAgainMs)])
    }
  } finally {
    await Promise.allSettled(underWay.keys())
  }
}

export async function noticesAreDue(db: Db): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM deliver.notice n
     JOIN deliver.webhook w ON w.webhook_id = n.webhook_id AND w.removed_at IS NULL
     JOIN access.account a ON a.account_id = w.account_id AND a.suspended_at IS NULL AND a.erased_at IS NULL
     LEFT JOIN deliver.receiver r ON r.host = coalesce(w.host, w.webhook_id::text)
     WHERE n.state = 'pending' AND n.next_attempt_at <= clock_timestamp()
       AND (r.paused_until IS NULL OR r.paused_until <= clock_timestamp()) LIMIT 1`,
  )
  return rows.length > 0
}

/** @returns none while their secrets are closed to this process: no attempt is counted then. */
async function takeDue({ db, secretKey }: NoticeParts, underWay: readonly DueNotice[]): Promise<DueNotice[]> {
  const { atOnce, share, failuresMax } = webhookBounds
  if (underWay.length >= atOnce) return []
  if (!(await isSealedUnder(db, secretKey))) return []
  return db.query<DueNotice>(dueNotices, [
    ...[atOnce - underWay.length, share],
    ...[underWay.map(({ accountId }) => accountId), underWay.map(({ host }) => host), failuresMax],
  ])
}

/** Sends a leased notice, and records the response. */
export async function sendOne(
  { db, secretKey, allowPrivate }: NoticeParts,
  notice: DueNotice,
  signal: AbortSignal,
): Promise<Sent> {
  const secret = unseal(notice.secret, webhookUse(notice.webhookId), secretKey)
  const { type, createdAt, data, isTest } = notice
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), ...(isTest && { test: true }), data })
  const startedAt = performance.now()
  const { status, error } =
    secret === undefined
      ? { status: null, error: 'its secret cannot be opened with this PANJI_SECRET_KEY' }
      : await post({
          url: notice.url,
          headers: signedHeaders(notice.eventId, secret, body),
          body,
          signal,
          allowPrivate,
        })
  const ms = Math.round(performance.now() - startedAt)
  // An attempt aborted by a stopping process does not count.
  if (signal.aborted && status === null) return { status, error, ms }
  const inTime = status !== null && ms < webhookBounds.slowMs
  if (secret !== undefined) await noteAnswer(db, notice.host, inTime)
  const delivered = status !== null && status >= 200 && status < 300
  const wait = isTest ? undefined : retryWaits[notice.attempts - 1]
  await db.execute(
    `UPDATE deliver.notice SET state = $3, last_status = $4, last_error = $5,
       delivered_at = CASE $3 WHEN 'delivered' THEN now() END,
       next_attempt_at = clock_timestamp() + $6 * interval '1 second'
     WHERE event_id = $1 AND webhook_id = $2`,
    [
      notice.eventId,
      notice.webhookId,
      delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending',
      status,
      delivered ? null : (error ?? `answered ${status}`),
      wait ?? 0,
    ],
  )
  return { status, error, ms }
}

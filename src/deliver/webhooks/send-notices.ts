/**
 * Sends due notices in the form of Standard Webhooks: id, time and an HMAC of both and the body. Anything but a 2xx is tried
 * again for three days. A notice is taken for a minute, so that one whose sender died is sent again: the receiver tells
 * repetitions by the id.
 */
import { createHmac } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import { unseal } from '../../secrets/seal.ts'
import { post } from './outgoing.ts'
import { webhookUse } from './webhooks.ts'

interface DueNotice {
  readonly eventId: string
  readonly webhookId: string
  readonly url: string
  readonly secret: Buffer
  readonly type: string
  readonly data: object
  readonly createdAt: Date
  readonly attempts: number
}

export interface NoticeParts {
  readonly db: Db
  readonly secretKey: Secret
  readonly allowPrivate: boolean
}

const atOnce = 5
/** Seconds after each failed attempt; after the last one the notice has failed. */
const waits = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, 86_400] as const

export async function sendNotices(parts: NoticeParts, signal: AbortSignal): Promise<{ readonly sent: number }> {
  let sent = 0
  while (!signal.aborted) {
    const due = await takeDue(parts.db)
    if (due.length === 0) break
    await Promise.all(due.map((notice) => sendOne(parts, notice, signal)))
    sent += due.length
  }
  return { sent }
}

export async function noticesAreDue(db: Db): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM deliver.notice WHERE state = 'pending' AND next_attempt_at <= clock_timestamp() LIMIT 1`,
  )
  return rows.length > 0
}

function takeDue(db: Db): Promise<DueNotice[]> {
  return db.query<DueNotice>(
    `WITH due AS (
       SELECT n.event_id, n.webhook_id FROM deliver.notice n
       JOIN deliver.webhook w ON w.webhook_id = n.webhook_id AND w.removed_at IS NULL
       JOIN access.account a ON a.account_id = w.account_id AND a.suspended_at IS NULL AND a.erased_at IS NULL
       WHERE n.state = 'pending' AND n.next_attempt_at <= clock_timestamp()
       ORDER BY n.next_attempt_at LIMIT $1 FOR UPDATE OF n SKIP LOCKED
     )
     UPDATE deliver.notice n SET attempts = n.attempts + 1, next_attempt_at = clock_timestamp() + interval '1 minute'
     FROM due JOIN deliver.webhook w USING (webhook_id) JOIN deliver.event e USING (event_id)
     WHERE n.event_id = due.event_id AND n.webhook_id = due.webhook_id
     RETURNING n.event_id AS "eventId", n.webhook_id AS "webhookId", w.url, w.secret_encrypted AS secret, e.type, e.data,
       e.created_at AS "createdAt", n.attempts`,
    [atOnce],
  )
}

async function sendOne(
  { db, secretKey, allowPrivate }: NoticeParts,
  notice: DueNotice,
  signal: AbortSignal,
): Promise<void> {
  const secret = unseal(notice.secret, webhookUse(notice.webhookId), secretKey)
  const { type, createdAt, data } = notice
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const { status, error } =
    secret === undefined
      ? { status: null, error: 'its secret does not open with this PANJI_SECRET_KEY' }
      : await post({ url: notice.url, headers: headersOf(notice.eventId, secret, body), body, signal, allowPrivate })
  // A process that stops has tried nothing.
  if (signal.aborted && status === null) return
  const delivered = status !== null && status >= 200 && status < 300
  const wait = waits[notice.attempts - 1]
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
}

function headersOf(id: string, secret: string, body: string): Record<string, string> {
  const at = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Panji',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  }
}

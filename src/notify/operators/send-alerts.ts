/**
 * Sends due alerts of operators. One is leased for a minute, so that it is sent again, with its own ID, if the sender
 * dies; rejected ones are retried for three days, and are then dead letters that an operator can resend.
 */
import type { Db } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import type { Mailer } from '../mails/smtp.ts'
import { retryWaits } from '../retry-waits.ts'
import { post } from '../webhooks/outgoing.ts'
import { signedHeaders } from '../webhooks/signed-headers.ts'
import type { ChannelKind } from './alert-address.ts'
import { type AlertData, alertText, alertType } from './alert-message.ts'
import { type Channel, openChannel, type SealedChannel } from './channels.ts'

export interface AlertParts {
  readonly db: Db
  readonly secretKey: Secret
  /** For channels that were added; whoever sets the environment owns the machine, and may use its network. */
  readonly allowPrivate: boolean
  /** undefined where no e-mail is configured. */
  readonly mailer: Mailer | undefined
  readonly publicUrl: string | undefined
}

interface DueAlert extends SealedChannel {
  readonly messageId: string
  readonly kind: ChannelKind
  readonly origin: Channel['origin']
  readonly body: AlertData
  readonly createdAt: Date
  readonly attempts: number
}

const atOnce = 10

export async function alertsAreDue(db: Db): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM runtime.alert_message JOIN runtime.alert_channel USING (channel_id)
     WHERE state = 'pending' AND next_attempt_at <= clock_timestamp() AND removed_at IS NULL LIMIT 1`,
  )
  return rows.length > 0
}

export async function sendAlerts(parts: AlertParts, signal: AbortSignal): Promise<{ readonly sent: number }> {
  let sent = 0
  while (!signal.aborted) {
    const due = await takeDue(parts.db)
    if (due.length === 0) break
    const outcomes = await Promise.all(due.map((alert) => sendOne(parts, alert, signal)))
    sent += outcomes.filter(Boolean).length
  }
  return { sent }
}

function takeDue(db: Db): Promise<DueAlert[]> {
  return db.query<DueAlert>(
    `WITH due AS (
       SELECT message_id FROM runtime.alert_message m JOIN runtime.alert_channel c USING (channel_id)
       WHERE state = 'pending' AND next_attempt_at <= clock_timestamp() AND removed_at IS NULL
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE OF m SKIP LOCKED
     )
     UPDATE runtime.alert_message m SET attempts = m.attempts + 1, next_attempt_at = clock_timestamp() + interval '1 minute'
     FROM due JOIN runtime.alert_message w USING (message_id) JOIN runtime.alert_channel c USING (channel_id)
     WHERE m.message_id = due.message_id
     RETURNING m.message_id AS "messageId", c.channel_id AS "channelId", c.kind, c.origin, c.address_encrypted AS address,
       c.secret_encrypted AS secret, m.body, m.created_at AS "createdAt", m.attempts`,
    [atOnce],
  )
}

async function sendOne(parts: AlertParts, alert: DueAlert, signal: AbortSignal): Promise<boolean> {
  const channel = openChannel(alert, parts.secretKey)
  const fault = channel
    ? await sendTo(parts, alert, channel, signal)
    : 'its address cannot be opened with this PANJI_SECRET_KEY'
  // An attempt aborted by a stopping process does not count.
  if (signal.aborted && fault !== null) return false
  const wait = retryWaits[alert.attempts - 1]
  const state = fault === null ? 'sent' : wait === undefined ? 'failed' : 'pending'
  await parts.db.execute(
    `UPDATE runtime.alert_message SET state = $2, last_error = $3, sent_at = CASE $2 WHEN 'sent' THEN now() END,
       next_attempt_at = clock_timestamp() + $4 * interval '1 second' WHERE message_id = $1`,
    [alert.messageId, state, fault, wait ?? 0],
  )
  return fault === null
}

/** @returns why it was not sent, or null. */
async function sendTo(
  { mailer, allowPrivate, publicUrl }: AlertParts,
  { messageId, kind, origin, body, createdAt }: DueAlert,
  { address, secret }: { readonly address: string; readonly secret: string | undefined },
  signal: AbortSignal,
): Promise<string | null> {
  const message = alertText(body, publicUrl)
  if (kind === 'mail') {
    if (!mailer) return 'no e-mail is configured: set PANJI_SMTP_URL'
    const outcome = await mailer.send({ to: address, id: messageId, ...message })
    return outcome.sent ? null : outcome.reason
  }
  const text =
    kind === 'slack'
      ? JSON.stringify({ text: `${message.subject}\n${message.text}` })
      : JSON.stringify({ type: alertType, timestamp: createdAt.toISOString(), data: body })
  const headers = signedHeaders(messageId, secret, text)
  const isOwners = origin === 'environment'
  const { status, error } = await post({
    url: address,
    headers,
    body: text,
    signal,
    allowPrivate: allowPrivate || isOwners,
  })
  return status !== null && status >= 200 && status < 300 ? null : (error ?? `answered ${status}`)
}

/** Deletes alerts older than a period, and causes that were resolved before. @returns number of alerts. */
export async function sweepAlerts(db: Db, period: string): Promise<number> {
  await db.execute('DELETE FROM runtime.condition WHERE resolved_at < now() - $1::interval', [period])
  return db.execute('DELETE FROM runtime.alert_message WHERE created_at < now() - $1::interval', [period])
}

/** Alerts as operators see them: what was sent through which channel, with its result; failed ones can be resent. */
import type { Queryable } from '../../db/db.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import type { ChannelKind } from './alert-address.ts'
import type { AlertData } from './alert-message.ts'

export interface SentAlert {
  readonly messageId: string
  readonly channelId: string
  readonly kind: ChannelKind
  readonly shown: string
  readonly state: 'pending' | 'sent' | 'failed'
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly body: AlertData
}

/** Newest first. */
export function listAlerts(db: Queryable, limit: number, messageIds?: readonly string[]): Promise<SentAlert[]> {
  return db.query<SentAlert>(
    `SELECT message_id AS "messageId", channel_id AS "channelId", kind, shown, attempts,
       CASE WHEN is_dropped THEN 'failed' ELSE state END AS state,
       CASE WHEN is_dropped THEN 'the channel was removed' ELSE last_error END AS "lastError", m.created_at AS "createdAt", body
     FROM runtime.alert_message m JOIN runtime.alert_channel c USING (channel_id),
       LATERAL (SELECT state = 'pending' AND c.removed_at IS NOT NULL AS is_dropped) AS waiting
     WHERE $2::uuid[] IS NULL OR message_id = ANY ($2) ORDER BY m.created_at DESC, message_id LIMIT $1`,
    [limit, messageIds ?? null],
  )
}

/**
 * With a full set of attempts; a waiting one is sent at once. @throws AppError NOT_FOUND for one that was sent, whose
 * channel was removed, or that does not exist.
 */
export async function resendAlert(tx: Queryable, messageId: string): Promise<void> {
  const again = isUuid(messageId)
    ? await tx.execute(
        `UPDATE runtime.alert_message m SET state = 'pending', attempts = 0, next_attempt_at = now()
         FROM runtime.alert_channel c
         WHERE message_id = $1 AND state <> 'sent' AND c.channel_id = m.channel_id AND c.removed_at IS NULL`,
        [messageId],
      )
    : 0
  if (again === 0) throw new AppError('NOT_FOUND', `No notification ${messageId} waits or has failed.`)
}

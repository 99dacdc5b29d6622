/** Queues an alert in the outbox, once per channel, in the transaction of its cause. */
import type { Queryable } from '../../db/db.ts'
import type { AlertData } from './alert-message.ts'

export interface QueuedAlert {
  readonly messageId: string
  readonly channelId: string
}

/** @param channelId of the channel to test; every channel otherwise. */
export function queueAlert(tx: Queryable, body: AlertData, channelId?: string): Promise<QueuedAlert[]> {
  return tx.query<QueuedAlert>(
    `INSERT INTO runtime.alert_message (channel_id, body)
     SELECT channel_id, $1::jsonb FROM runtime.alert_channel WHERE removed_at IS NULL AND ($2::uuid IS NULL OR channel_id = $2)
     RETURNING message_id AS "messageId", channel_id AS "channelId"`,
    [JSON.stringify(body), channelId ?? null],
  )
}

export const testAlert: AlertData = { test: true, opened: [], resolved: [] }

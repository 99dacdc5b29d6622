import { z } from 'zod'
import { channelKinds } from '../../../notify/operators/alert-address.ts'
import { AlertData } from '../../../notify/operators/alert-message.ts'
import type { Channel } from '../../../notify/operators/channels.ts'
import type { SentAlert } from '../../../notify/operators/list-alerts.ts'
import { timestamp, uuid } from '../../formats.ts'

export const kind = z.enum(channelKinds).describe('`slack` accepts Slack messages')
export const channelId = uuid('ID of the channel')

export const AlertChannel = z
  .object({
    channel_id: channelId,
    kind,
    shown: z.string().describe('Visible part of its address: the host, or the end of an e-mail address'),
    origin: z.enum(['console', 'environment']),
    created_at: timestamp(),
    created_by: z.string(),
    last_sent_at: timestamp('of the last notification that it accepted').nullable(),
    failed: z.number().describe('Notifications that were given up'),
  })
  .meta({ id: 'AlertChannel' })

export const channelView = (channel: Channel): z.input<typeof AlertChannel> => ({
  channel_id: channel.channelId,
  kind: channel.kind,
  shown: channel.shown,
  origin: channel.origin,
  created_at: channel.createdAt.toISOString(),
  created_by: channel.createdBy,
  last_sent_at: channel.lastSentAt?.toISOString() ?? null,
  failed: channel.failed,
})

export const Alert = z
  .object({
    message_id: uuid('ID of the notification'),
    channel_id: channelId,
    kind,
    shown: z.string(),
    state: z.enum(['pending', 'sent', 'failed']),
    attempts: z.number(),
    last_error: z.string().nullable(),
    created_at: timestamp(),
    told: AlertData,
  })
  .meta({ id: 'Alert' })

export const alertView = (alert: SentAlert): z.input<typeof Alert> => ({
  message_id: alert.messageId,
  channel_id: alert.channelId,
  kind: alert.kind,
  shown: alert.shown,
  state: alert.state,
  attempts: alert.attempts,
  last_error: alert.lastError,
  created_at: alert.createdAt.toISOString(),
  told: alert.body,
})

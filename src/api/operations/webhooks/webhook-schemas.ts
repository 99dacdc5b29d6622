import { z } from 'zod'
import { eventTypes } from '../../../notify/event-types.ts'
import type { Webhook as StoredWebhook } from '../../../notify/webhooks/webhooks.ts'
import { timestamp, uri, uuid } from '../../formats.ts'

export const eventType = z.enum(eventTypes)

export const Webhook = z
  .object({
    webhook_id: uuid('ID of the webhook'),
    url: uri('Receives the POST'),
    events: z.array(eventType),
    created_at: timestamp(),
  })
  .meta({ id: 'Webhook' })

export const webhookView = (webhook: StoredWebhook) => ({
  ...webhook,
  created_at: webhook.created_at.toISOString(),
})

import { z } from 'zod'
import { eventTypes } from '../../../notify/event-types.ts'
import { addWebhook } from '../../../notify/webhooks/webhooks.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { eventType, Webhook, webhookView } from './webhook-schemas.ts'

const CreatedWebhook = Webhook.extend({ secret: z.string().describe('Verifies what is sent; shown only now') }).meta({
  id: 'CreatedWebhook',
})
const NewWebhookBody = z
  .strictObject({
    url: plainText(2000).min(1).describe('https URL that accepts a POST'),
    events: z.array(eventType).min(1).max(eventTypes.length).optional().describe('All event types by default'),
  })
  .meta({ examples: [{ url: 'https://example.com/panji', events: ['delivery.rejected'] }] })

export default operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/crm/webhooks',
  summary: 'Create a webhook',
  description:
    'Events are posted in the Standard Webhooks format: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and the base64 of ' +
    'HMAC-SHA256 over id.timestamp.body with the secret). Any response but a 2xx is retried for three days.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
  body: NewWebhookBody,
  reply: { 201: CreatedWebhook },
  example: {
    webhook_id: '112c6433-8d39-438b-97d0-0076cfc94a5e',
    url: 'https://example.com/panji',
    events: ['delivery.rejected'],
    created_at: '2026-11-23T17:06:39.105Z',
    secret: 'whsec_…',
  },
  handle: async ({ db, delivery, settings: { allowPrivateSources: allowPrivate = false } }, request, { accountId }) => {
    const wanted = { accountId, allowPrivate, ...request.body }
    const { secret, ...webhook } = await addWebhook(db, delivery.secretKey, wanted)
    return { ...webhookView(webhook), secret }
  },
})

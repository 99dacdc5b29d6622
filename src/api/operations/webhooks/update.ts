import { z } from 'zod'
import { eventTypes } from '../../../notify/event-types.ts'
import { changeWebhook } from '../../../notify/webhooks/webhooks.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { eventType, Webhook, webhookView } from './webhook-schemas.ts'

const ChangeBody = z
  .strictObject({
    url: plainText(2000).min(1).optional().describe('https URL that accepts a POST'),
    events: z.array(eventType).min(1).max(eventTypes.length).optional().describe('Replaces the event types'),
  })
  .refine(({ url, events }) => url !== undefined || events !== undefined, { error: 'must hold url or events' })
  .meta({ examples: [{ events: ['delivery.rejected', 'order.paid'] }] })

export default operation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/crm/webhooks/:webhook_id',
  summary: 'Change a webhook',
  description:
    'Members left out keep their value, and so does the secret. Events that are waiting for it go to the new URL; new event types count from now on.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'NOT_FOUND'],
  params: z.object({ webhook_id: uuid('webhook_id').meta({ examples: [exampleIds.webhook] }) }),
  body: ChangeBody,
  reply: { 200: Webhook },
  example: {
    webhook_id: '112c6433-8d39-438b-97d0-0076cfc94a5e',
    url: 'https://example.com/panji',
    events: ['delivery.rejected', 'order.paid'],
    created_at: '2026-11-23T17:06:39.105Z',
  },
  handle: async ({ db, settings: { allowPrivateSources: allowPrivate = false } }, request, { accountId }) => {
    const wanted = { accountId, allowPrivate, ...request.body }
    return webhookView(await changeWebhook(db, request.params.webhook_id, wanted))
  },
})

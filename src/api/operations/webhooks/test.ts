import { z } from 'zod'
import { webhookBounds } from '../../../../config/webhooks.ts'
import { queueTestEvent } from '../../../notify/webhooks/test-event.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { eventType } from './webhook-schemas.ts'

export default operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/crm/webhooks/:webhook_id/test',
  summary: 'Send a test event to a webhook',
  description:
    'The example of its type with `test: true`, signed like any other, whether or not the webhook subscribes to that type. It is sent once, ' +
    `within seconds; GET /api/crm/events has the response. At most ${webhookBounds.testsPerHour} an hour.`,
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['QUOTA_EXCEEDED'],
  params: z.object({ webhook_id: uuid('webhook_id').meta({ examples: [exampleIds.webhook] }) }),
  body: z
    .strictObject({ type: eventType.default('order.delivered').describe('Type whose example is sent') })
    .meta({ examples: [{ type: 'order.delivered' }] }),
  reply: { 200: z.object({ event_id: uuid('ID of the event; the webhook-id of the request') }) },
  example: { event_id: '5f0f0c53-7d0e-4a53-9a55-0f7a1d7a9a4e' },
  handle: async ({ db }, request, { accountId }) =>
    queueTestEvent(db, {
      webhookId: request.params.webhook_id,
      accountId,
      type: request.body.type,
    }),
})

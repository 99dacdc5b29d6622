import { z } from 'zod'
import { listWebhooks } from '../../../notify/webhooks/webhooks.ts'
import { operation } from '../../operation.ts'
import { Webhook, webhookView } from './webhook-schemas.ts'

export default operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/crm/webhooks',
  summary: 'List your webhooks',
  description: 'Oldest first. Secrets are shown only when a webhook is created.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Webhook) }) },
  example: {
    data: [
      {
        webhook_id: '112c6433-8d39-438b-97d0-0076cfc94a5e',
        url: 'https://example.com/panji',
        events: ['delivery.rejected'],
        created_at: '2026-11-23T17:06:39.105Z',
      },
    ],
  },
  handle: async ({ db }, _request, { accountId }) => ({
    data: (await listWebhooks(db, accountId)).map(webhookView),
  }),
})

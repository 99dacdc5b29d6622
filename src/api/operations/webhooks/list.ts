import { z } from 'zod'
import { listWebhooks } from '../../../notify/webhooks/webhooks.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { Webhook, webhookView } from './webhook-schemas.ts'

export default operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/crm/webhooks',
  tag: 'CRM',
  summary: 'Your webhooks, the oldest first',
  description: 'Their secrets were shown when they were made.',
  caller: { scopes: ['deliver'] },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Webhook) }) },
  example: {
    data: [],
  },
  handle:
    ({ db }) =>
    async (request) => ({ data: (await listWebhooks(db, principalOf(request).accountId)).map(webhookView) }),
})

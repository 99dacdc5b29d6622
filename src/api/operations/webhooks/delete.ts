import { z } from 'zod'
import { removeWebhook } from '../../../notify/webhooks/webhooks.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

export default operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/crm/webhooks/:webhook_id',
  summary: 'Remove a webhook',
  description: 'Events that are waiting for it are dropped.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  params: z.object({ webhook_id: uuid('webhook_id').meta({ examples: [exampleIds.webhook] }) }),
  body: noBody,
  reply: { 200: z.object({ webhook_id: uuid('ID of the webhook') }) },
  example: {
    webhook_id: '34e17036-86e3-4be4-aaa6-3f5b5b5903d1',
  },
  handle: async ({ db }, request, { accountId }) => removeWebhook(db, request.params.webhook_id, accountId),
})

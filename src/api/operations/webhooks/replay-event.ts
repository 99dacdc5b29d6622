import { z } from 'zod'
import { webhookBounds } from '../../../../config/webhooks.ts'
import { replayEvent } from '../../../notify/webhooks/webhooks.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

export default operation({
  id: 'replayEvent',
  method: 'POST',
  path: '/api/crm/events/:event_id/replay',
  summary: 'Send an event again',
  description: `With the same ID, to your current webhooks; at most ${webhookBounds.replaysMax} times. Deliveries that failed or wait for a retry are sent at once.`,
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['QUOTA_EXCEEDED'],
  params: z.object({ event_id: uuid('event_id').meta({ examples: [exampleIds.event] }) }),
  body: noBody,
  reply: {
    200: z.object({
      replayed: z.number().describe('Webhooks that it is sent to'),
      replays: z.number().describe('Number of replays, including this one'),
    }),
  },
  example: {
    replayed: 0,
    replays: 1,
  },
  handle: async ({ db }, request, { accountId }) => replayEvent(db, request.params.event_id, accountId),
})

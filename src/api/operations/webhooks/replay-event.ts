import { z } from 'zod'
import { webhookBounds } from '../../../../config/webhooks.ts'
import { replayEvent } from '../../../notify/webhooks/webhooks.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'

export default operation({
  id: 'replayEvent',
  method: 'POST',
  path: '/api/crm/events/:event_id/replay',
  tag: 'CRM',
  summary: 'Send an event again',
  description: `Under its own id, to the webhooks that there are now; ${webhookBounds.replaysMax} times at most. What failed, or waits for its next try, goes at once.`,
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['QUOTA_EXCEEDED'],
  params: z.object({ event_id: uuid('event_id').meta({ examples: [exampleIds.event] }) }),
  body: noBody,
  reply: {
    200: z.object({
      replayed: z.number().describe('Webhooks that it is sent to'),
      replays: z.number().describe('How often it was replayed, this time among it'),
    }),
  },
  example: {
    replayed: 0,
    replays: 1,
  },
  handle:
    ({ db }) =>
    async (request) =>
      replayEvent(db, request.params.event_id, principalOf(request).accountId),
})

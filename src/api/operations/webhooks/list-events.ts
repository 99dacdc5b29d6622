import { z } from 'zod'
import { events } from '../../../notify/event-types.ts'
import { eventSorts, listEvents, type SentEvent } from '../../../notify/webhooks/webhooks.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting } from '../../parameters.ts'
import { eventType } from './webhook-schemas.ts'

const Notice = z
  .object({
    webhook_id: uuid('ID of the webhook'),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number(),
    last_status: z.number().nullable().describe('HTTP status; null without a response'),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'Notice' })
const Event = z
  .object({
    event_id: uuid('ID of the event; the webhook-id of the request'),
    type: eventType,
    created_at: timestamp(),
    test: z.boolean().describe('Requested as a test of the webhook'),
    data: z.record(z.string(), z.unknown()),
    notices: z.array(Notice),
  })
  .meta({ id: 'Event' })
const eventView = (event: SentEvent) => ({
  ...event,
  created_at: event.created_at.toISOString(),
  data: { ...event.data },
})

export default operation({
  id: 'listEvents',
  method: 'GET',
  path: '/api/crm/events',
  summary: 'List the events sent to your webhooks',
  description: 'With the response to each, newest first unless sorted.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: { reads: 'leads' },
  query: z.object({ ...sorting(eventSorts), ...paging(100), ...growing }),
  reply: { 200: pageOf(Event) },
  example: {
    data: [
      {
        event_id: '5f0f0c53-7d0e-4a53-9a55-0f7a1d7a9a4e',
        type: 'order.delivered',
        created_at: '2026-11-23T17:06:39.105Z',
        test: false,
        data: events['order.delivered'].example,
        notices: [
          {
            webhook_id: '112c6433-8d39-438b-97d0-0076cfc94a5e',
            ...{ state: 'delivered', attempts: 1, last_status: 204, last_error: null },
          },
        ],
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit, until, sort } = request.query
    const { events, total } = await listEvents(db, accountId, {
      ...{ until, limit, offset: (page - 1) * limit, sort },
    })
    return { data: events.map(eventView), total, page, limit }
  },
})

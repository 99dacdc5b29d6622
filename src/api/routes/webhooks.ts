/** /api/crm/webhooks and /api/crm/events: an account hears what becomes of its deliveries. */
import { z } from 'zod'
import { eventTypes } from '../../deliver/event-types.ts'
import {
  addWebhook,
  listEvents,
  listWebhooks,
  removeWebhook,
  replayEvent,
  type SentEvent,
  type Webhook as StoredWebhook,
} from '../../deliver/webhooks/webhooks.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uri, uuid } from '../formats.ts'
import { noBody, paging, plainText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'

const tags = ['CRM']
const eventType = z.enum(eventTypes)

const Webhook = z
  .object({
    webhook_id: uuid('Of the webhook'),
    url: uri('Takes the POST'),
    events: z.array(eventType),
    created_at: timestamp(),
  })
  .meta({ id: 'Webhook' })
const CreatedWebhook = Webhook.extend({ secret: z.string().describe('Verifies what is sent; shown only now') }).meta({
  id: 'CreatedWebhook',
})
const Notice = z
  .object({
    webhook_id: uuid('Of the webhook'),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number(),
    last_status: z.number().nullable().describe('Of HTTP; null where no answer came'),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'Notice' })
const Event = z
  .object({
    event_id: uuid('Of the event; webhook-id of what is sent'),
    type: eventType,
    created_at: timestamp(),
    data: z.record(z.string(), z.unknown()),
    notices: z.array(Notice),
  })
  .meta({ id: 'Event' })

const NewWebhookBody = z
  .strictObject({
    url: plainText(2000).min(1).describe('https address that takes a POST'),
    events: z.array(eventType).min(1).max(eventTypes.length).optional().describe('All when absent'),
  })
  .meta({ examples: [{ url: 'https://example.com/panji', events: ['delivery.rejected'] }] })

const webhookView = (webhook: StoredWebhook) => ({
  ...webhook,
  events: [...webhook.events],
  created_at: webhook.created_at.toISOString(),
})
const eventView = (event: SentEvent) => ({
  ...event,
  created_at: event.created_at.toISOString(),
  data: { ...event.data },
  notices: event.notices.map((notice) => ({ ...notice })),
})

export const webhookRoutes: Routes = async (app, { db, delivery }) => {
  app.get(
    '/api/crm/webhooks',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'Your webhooks, the oldest first',
        description: 'Their secrets were shown when they were made.',
        response: { 200: z.object({ data: z.array(Webhook) }) },
      },
    },
    async (request) => ({ data: (await listWebhooks(db, principalOf(request).accountId)).map(webhookView) }),
  )

  app.post(
    '/api/crm/webhooks',
    {
      config: { scopes: ['deliver'], errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED', 'NOT_FOUND'] },
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Hear what becomes of your deliveries',
        description:
          'Events are posted in the form of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and the base64 of ' +
          'HMAC-SHA256 over id.timestamp.body under the secret). Anything but a 2xx is tried again for three days.',
        body: NewWebhookBody,
        response: { 201: CreatedWebhook },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { secret, ...webhook } = await addWebhook(db, delivery.secretKey, { accountId, ...request.body })
      return reply.code(201).send({ ...webhookView(webhook), secret })
    },
  )

  app.delete(
    '/api/crm/webhooks/:webhook_id',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Remove a webhook',
        description: 'What is on its way to it goes no further.',
        params: z.object({ webhook_id: uuid('webhook_id').meta({ examples: [exampleIds.webhook] }) }),
        body: noBody,
        response: { 200: z.object({ webhook_id: uuid('Of the webhook') }) },
      },
    },
    async (request) => removeWebhook(db, request.params.webhook_id, principalOf(request).accountId),
  )

  app.get(
    '/api/crm/events',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'listEvents',
        tags,
        summary: 'What your webhooks were told, the newest first',
        description: 'With the answer of each.',
        querystring: z.object(paging(100)),
        response: {
          200: z.object({ data: z.array(Event), total: z.number(), page: z.number(), limit: z.number() }),
        },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { accountId } = principalOf(request)
      const { events, total } = await listEvents(db, accountId, { limit, offset: (page - 1) * limit })
      return { data: events.map(eventView), total, page, limit }
    },
  )

  app.post(
    '/api/crm/events/:event_id/replay',
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'replayEvent',
        tags,
        summary: 'Send an event again',
        description: 'Under its own id, to the webhooks that there are now.',
        params: z.object({ event_id: uuid('event_id').meta({ examples: [exampleIds.event] }) }),
        body: noBody,
        response: { 200: z.object({ replayed: z.number().describe('Webhooks that it is sent to') }) },
      },
    },
    async (request) => replayEvent(db, request.params.event_id, principalOf(request).accountId),
  )
}

/** The `webhooks` of the OpenAPI document: one per type of event, and what operators are notified with; made from their lists. */
import { z } from 'zod'
import { webhookBounds } from '../../config/webhooks.ts'
import { events, eventTypes } from '../notify/event-types.ts'
import { AlertData, alertExample, alertType } from '../notify/operators/alert-message.ts'

const { timeoutMs, giveUpDays } = webhookBounds

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
})

/** Standard Webhooks. */
const headers = [
  header('webhook-id', 'Of the event; the same when it is sent again'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; its key is what the base64 behind `whsec_` of the secret decodes to',
  ),
]

export const documentWebhooks = (): Readonly<Record<string, object>> =>
  Object.fromEntries([
    ...eventTypes.map((type) => [type, { post: posted(type, events[type]) }] as const),
    [alertType, { post: posted(alertType, alert) }],
  ])

/** Operators have webhooks of their own. */
const alert = {
  when: 'operators are notified of the conditions of the instance',
  data: AlertData,
  example: alertExample,
}

function posted(type: string, { when, data, example }: { when: string; data: z.ZodObject; example: object }): object {
  const { $schema: _, ...schema } = z.toJSONSchema(
    z.object({
      type: z.literal(type),
      timestamp: z.iso.datetime().describe('When it happened'),
      test: z.literal(true).optional().describe('The example of its type, asked for to try the receiver'),
      data: z.object(data.shape),
    }),
    { io: 'input' },
  )
  const body = { type, timestamp: '2026-11-23T17:06:39.105Z', data: example }
  return {
    operationId: `on ${type}`.replace(/[ .](\w)/g, (_match, letter: string) => letter.toUpperCase()),
    tags: ['Events'],
    summary: `Sent when ${when}`,
    description: `Anything but a 2xx within ${timeoutMs / 1_000} seconds is tried again for ${giveUpDays} days; redirects are not followed.`,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema, example: body } } },
    responses: { '2XX': { description: 'Received' } },
  }
}

/**
 * The `webhooks` of the OpenAPI document: one per event type, and the alerts of operators; generated from their lists.
 */
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
  header('webhook-id', 'ID of the event; the same when it is resent'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; the key is the base64-decoded part of the secret after `whsec_`',
  ),
]

export const documentWebhooks = (): Readonly<Record<string, object>> =>
  Object.fromEntries([
    ...eventTypes.map((type) => [type, { post: posted(type, events[type]) }] as const),
    [alertType, { post: posted(alertType, alert) }],
  ])

/** Operators have their own webhooks. */
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
      test: z.literal(true).optional().describe('The example of its type, requested to test the receiver'),
      data: z.object(data.shape),
    }),
    { io: 'input' },
  )
  const body = { type, timestamp: '2026-11-23T17:06:39.105Z', data: example }
  return {
    operationId: `on ${type}`.replace(/[ .](\w)/g, (_match, letter: string) => letter.toUpperCase()),
    tags: ['Events'],
    summary: `Sent when ${when}`,
    description: `Any response but a 2xx within ${timeoutMs / 1_000} seconds is retried for ${giveUpDays} days; redirects are not followed.`,
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema, example: body } } },
    responses: { '2XX': { description: 'Received' } },
  }
}

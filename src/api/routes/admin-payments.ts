/** /admin/payments: what the payment processor told, what of it waits for somebody to see to it, and asking it anew. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { closeEvent, type EventRecord, eventOutcomes, listEvents } from '../../orders/payments/payment-events.ts'
import { queues } from '../../queue/queues.ts'
import { audit } from '../../trail/audit.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody, paging, textFilter } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const text = z.string().nullable()
const Event = z
  .object({
    event_id: z.number(),
    provider: z.string(),
    source: z.enum(['checkout', 'webhook', 'reconcile', 'operator']),
    name: z.string().describe("The processor's own word for it"),
    outcome: z.enum(eventOutcomes),
    payment_order_id: text,
    payment_id: text,
    refund_id: text,
    amount: z.number().nullable().describe('Paise'),
    currency: text,
    order_id: uuid('Of the order, also where its account was erased').nullable(),
    detail: text,
    received_at: timestamp(),
    closed_at: timestamp().nullable(),
    closed_by: text,
    closed_note: text,
  })
  .meta({ id: 'PaymentEvent' })
const Page = z.object({ data: z.array(Event), total: z.number(), page: z.number(), limit: z.number() })
const EventPath = z.object({ event_id: z.string().meta({ description: 'event_id', examples: ['1'] }) })
const CloseBody = z
  .strictObject({ reason: z.string().trim().min(1, 'say what was done').max(500).describe('What was done about it') })
  .meta({ examples: [{ reason: 'given back by bank transfer' }] })

export const adminPaymentRoutes: Routes = async (app, { db, queue, settings }) => {
  app.get(
    '/admin/payments',
    {
      schema: {
        operationId: 'listPaymentEvents',
        ...admin,
        summary: 'What the payment processor told, the newest first',
        description: 'Also notices that fit no order, another sum, an erased account or no signature.',
        querystring: z.object({
          outcome: z.enum(eventOutcomes).optional().describe('Only events that came to this'),
          open: z
            .enum(['true', 'false'])
            .optional()
            .describe('true: only those that wait for somebody to see to them')
            .meta({ examples: ['true'] }),
          search: textFilter('Id of an order, or of the processor').meta({ examples: [exampleIds.order] }),
          ...paging(100),
        }),
        response: { 200: Page },
      },
    },
    async ({ query }) => {
      const { events, total } = await listEvents(db, { ...query, open: query.open === 'true' })
      return { data: events.map(shown), total, page: query.page, limit: query.limit }
    },
  )

  app.post(
    '/admin/payments/:event_id/close',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'closePaymentEvent',
        ...admin,
        summary: 'Say that an event was seen to',
        description: 'It waits for nobody any more. The reason stands beside it and in the trail.',
        params: EventPath,
        body: CloseBody,
        response: { 200: z.object({ event_id: z.number(), closed: z.literal(true) }) },
      },
    },
    async (request) => {
      const eventId = eventIdOf(request.params.event_id)
      await db.transaction((tx) => closeEvent(tx, eventId, request.body.reason, operatorOf(request)))
      return { event_id: eventId, closed: true as const }
    },
  )

  app.post(
    '/admin/payments/reconcile',
    {
      schema: {
        operationId: 'reconcilePayments',
        ...admin,
        summary: 'Ask the payment processor for what no notice told of',
        description:
          'A worker asks it for every order that waits, and for refunds: what was paid is settled, what nobody paid in time ends. It does so by itself, too, every few minutes.',
        body: noBody,
        response: { 202: z.object({ asked: z.literal(true) }) },
      },
    },
    async (request, reply) => {
      if (!settings.payments) throw new AppError('BAD_REQUEST', 'No online payment processor is configured.')
      const actor = operatorOf(request)
      await db.transaction(async (tx) => {
        await audit(tx, { actor, action: 'reconcile payments', subject: 'payments', detail: {} })
        await queue.send(tx, queues.reconcilePayments, {})
      })
      return reply.code(202).send({ asked: true as const })
    },
  )
}

/** @throws AppError NOT_FOUND for anything that is no number. */
function eventIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('NOT_FOUND', 'There is no such event.')
  return Number(id)
}

const shown = (event: EventRecord): z.output<typeof Event> => ({
  ...event,
  received_at: event.received_at.toISOString(),
  closed_at: event.closed_at?.toISOString() ?? null,
})

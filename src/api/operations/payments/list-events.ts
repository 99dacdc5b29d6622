import { z } from 'zod'
import { type EventRecord, eventOutcomes, eventSorts, listEvents } from '../../../orders/payments/payment-events.ts'
import { exampleIds } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting, textFilter } from '../../parameters.ts'

const text = z.string().nullable()
const Event = z
  .object({
    event_id: z.number(),
    provider: z.string(),
    source: z.enum(['checkout', 'webhook', 'reconcile', 'operator']),
    name: z.string().describe("The processor's own name for it"),
    outcome: z.enum(eventOutcomes),
    payment_order_id: text,
    payment_id: text,
    refund_id: text,
    amount: z.number().nullable().describe('Paise'),
    currency: text,
    order_id: uuid('ID of the order that the payment is for, even after its account was erased').nullable(),
    purchase_id: uuid('ID of the purchase of credits, a plan or an offer that it is for').nullable(),
    detail: text,
    received_at: timestamp(),
    closed_at: timestamp().nullable(),
    closed_by: text,
    closed_note: text,
  })
  .meta({ id: 'PaymentEvent' })
const Page = pageOf(Event)
const shown = (event: EventRecord): z.output<typeof Event> => ({
  ...event,
  received_at: event.received_at.toISOString(),
  closed_at: event.closed_at?.toISOString() ?? null,
})

export default operation({
  id: 'listPaymentEvents',
  method: 'GET',
  path: '/admin/payments',
  summary: 'List events of the payment processor',
  description:
    'Newest first unless sorted; including notices that match no order, have another amount, belong to an erased account or carry no signature.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  query: z.object({
    outcome: z.enum(eventOutcomes).optional().describe('Only events with this outcome'),
    open: z
      .enum(['true', 'false'])
      .optional()
      .describe('true: only those that need attention')
      .meta({ examples: ['true'] }),
    search: textFilter('ID of an order or purchase, or of the processor').meta({ examples: [exampleIds.order] }),
    ...sorting(eventSorts),
    ...paging(100),
    ...growing,
  }),
  reply: { 200: Page },
  example: {
    data: [
      {
        event_id: 12,
        provider: 'razorpay',
        source: 'webhook',
        name: 'payment.captured',
        outcome: 'credited',
        payment_order_id: 'order_Q2m7dT0hVfXw1a',
        payment_id: 'pay_Q2m7kL3nPz8y4c',
        refund_id: null,
        amount: 118000,
        currency: 'INR',
        order_id: null,
        purchase_id: 'ef806d7b-7d76-4cb0-b0f3-03bafb0a10fd',
        detail: null,
        received_at: '2026-11-23T17:08:02.114Z',
        closed_at: null,
        closed_by: null,
        closed_note: null,
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query }) => {
    const { events, total } = await listEvents(db, { ...query, open: query.open === 'true' })
    return { data: events.map(shown), total, page: query.page, limit: query.limit }
  },
})

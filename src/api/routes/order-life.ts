/** /api/orders before and after: what an order would cost, late contacts, bad contacts, and where each item came from. */
import { z } from 'zod'
import { soldRegistrations } from '../../access/sold-registrations.ts'
import { entityTypes } from '../../domain/identity.ts'
import { AppError } from '../../errors.ts'
import { openDispute } from '../../orders/disputes.ts'
import { orderItemsMax, readOrderItems } from '../../orders/order-items.ts'
import { quoteOrder } from '../../orders/quote-order.ts'
import { reclaimOrder } from '../../orders/reclaim-order.ts'
import { traceOrder } from '../../orders/trace-order.ts'
import { identifierOf } from '../../registry/hits.ts'
import { runScreener } from '../../registry/screener/run-screener.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds, exampleRecords } from '../example-records.ts'
import { noBody, plainText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { Dispute, disputeOf, OrderParams, OrderTrace, QuoteAnswer, Reclaimed } from './order-life-schemas.ts'
import { Query, Type } from './screener-schemas.ts'

const tags = ['Orders']

const QuoteBody = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          type: z.enum(entityTypes).describe('What would be ordered'),
          number: plainText(40).min(1).describe('CIN or LLPIN, DIN, or GSTIN'),
          name: plainText(500).optional().describe('As in an order; not needed here'),
        }),
      )
      .min(1)
      .max(orderItemsMax)
      .optional()
      .describe('Either items, or query and type'),
    query: Query.optional(),
    type: Type.optional(),
    limit: z
      .int()
      .min(1)
      .max(orderItemsMax)
      .optional()
      .describe('Of the query: how many of its records, in their order'),
  })
  .refine(({ items, query, type }) => (items === undefined) === (query !== undefined && type !== undefined), {
    error: 'must hold either items, or query and type',
  })
  .meta({ examples: [{ items: [{ type: 'gst', number: exampleRecords.gstin }] }] })

const DisputeBody = z
  .strictObject({ reason: plainText(1_000).trim().min(1).describe('What is wrong with the contact') })
  .meta({ examples: [{ reason: 'The number belongs to somebody else.' }] })
const ItemParams = OrderParams.extend({
  n: z.coerce
    .number()
    .int()
    .min(0)
    .max(orderItemsMax - 1)
    .meta({ description: 'Index of the item, from 0 as in the request', examples: [0] }),
})

export const orderLifeRoutes: Routes = async (app, { db, dearReads, queue }) => {
  app.post(
    '/api/orders/quote',
    {
      config: { scopes: ['order'], errors: ['UNPROCESSABLE', 'NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...dearErrors] },
      schema: {
        operationId: 'quoteOrder',
        tags,
        summary: 'What an order would bring and cost',
        description:
          'Of items, or of the records that a screener query finds: per type how many exist, can be reached, are owned ' +
          'already, and what they would cost. Names nobody, orders nothing, and uses a daily budget per item.',
        body: QuoteBody,
        response: { 200: QuoteAnswer },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { items, query, type, limit = 100 } = request.body
      if (items !== undefined) {
        const named = readOrderItems(items.map(({ type: of, number }) => ({ type: of, name: number, number })))
        return { ...(await quoteOrder(db, accountId, named)), found: null }
      }
      if (query === undefined || type === undefined) throw new AppError('BAD_REQUEST', 'Send items, or query and type.')
      const sold = await soldRegistrations(db, principalOf(request), type)
      const hits = await dearReads.run(request, (dearDb, timeoutMs) =>
        runScreener(dearDb, { query, type, page: 1, limit, sold, timeoutMs }),
      )
      const named = hits.results.map((hit) => ({ type, identifier: identifierOf(hit) }))
      return { ...(await quoteOrder(db, accountId, named)), found: hits.total }
    },
  )

  app.post(
    '/api/orders/:id/reclaim',
    {
      config: { scopes: ['order'], errors: ['INSUFFICIENT_CREDITS', 'CONFLICT'] },
      schema: {
        operationId: 'reclaimOrder',
        tags,
        summary: 'Get what could not be reached when the order was paid',
        description:
          'For 30 days: items whose credit came back because nobody could be reached, and who can be reached now, are ' +
          'charged and delivered. Called again it finds only what is left.',
        params: OrderParams,
        body: noBody,
        response: { 200: Reclaimed },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const reclaim = await reclaimOrder(db, queue, { accountId, orderId: request.params.id })
      return { ...reclaim, items: reclaim.items.map((item) => ({ ...item })) }
    },
  )

  app.post(
    '/api/orders/:id/items/:n/dispute',
    {
      config: { scopes: ['order'], errors: ['CONFLICT', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'disputeItem',
        tags,
        summary: 'Report a bad contact',
        description: 'Within 30 days, once per charge. An operator decides; an accepted report brings the credit back.',
        params: ItemParams,
        body: DisputeBody,
        response: { 201: Dispute },
      },
    },
    async (request, reply) => {
      const { id: orderId, n: index } = request.params
      const { accountId } = principalOf(request)
      const asked = { orderId, index, reason: request.body.reason }
      const dispute = await db.transaction((tx) => openDispute(tx, accountId, asked))
      return reply.code(201).send(disputeOf(dispute))
    },
  )

  app.get(
    '/api/orders/:id/trace',
    {
      schema: {
        operationId: 'traceOrder',
        tags,
        summary: 'Where each item came from, and where it went',
        description: 'Snapshot, run, lead, entries of the ledger and deliveries of every item.',
        params: OrderParams.extend({ id: OrderParams.shape.id.meta({ examples: [exampleIds.order] }) }),
        response: { 200: OrderTrace },
      },
    },
    async (request) => {
      const { id } = request.params
      const items = await traceOrder(db, principalOf(request).accountId, id)
      return {
        order_id: id,
        data: items.map((item) => ({
          ...item,
          entries: item.entries.map((entry) => ({ ...entry, at: utc(entry.at) })),
          deliveries: item.deliveries.map((delivery) => ({ ...delivery, at: utc(delivery.at) })),
          lead: item.lead ? { ...item.lead, built_at: utc(item.lead.built_at) } : null,
        })),
      }
    },
  )
}

/** As every other time here is written. */
const utc = (text: string) => new Date(text).toISOString()

/** /admin/orders and /admin/disputes: orders found by anything that names them, why items were charged, and refunds. */
import { z } from 'zod'
import { decideDispute, listDisputes, type OperatorDispute } from '../../orders/disputes.ts'
import { explainOrder, type FoundOrder, findOrders } from '../../orders/find-orders.ts'
import { refundOrder } from '../../orders/refund-order.ts'
import { disputeStates, orderStates } from '../../orders/states.ts'
import { exampleIds } from '../example-records.ts'
import { email, timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { paging, reasonText, textFilter } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { disputeOf, disputeShape, OrderParams } from './order-life-schemas.ts'
import { OrderSummary, orderSummary } from './order-schemas.ts'

const text = z.string().nullable()
const found = { user_id: uuid('Of the buyer'), email: email('Of the buyer') }
const Found = OrderSummary.extend(found).meta({ id: 'FoundOrder' })
const Explained = OrderSummary.extend({
  ...found,
  items: z.array(
    z
      .object({
        index: z.number(),
        item_id: uuid('Of the item'),
        type: z.string(),
        number: z.string(),
        name: z.string(),
        has_contact: z.boolean().nullable(),
        already_owned: z.boolean(),
        charged: z.boolean(),
        why: z.string(),
        charge: text.describe('Reference of the transfer that paid for it'),
        credit_type: text,
        refunded_at: timestamp().nullable(),
        refund_reason: text,
        dispute_id: uuid('Of the report').nullable(),
        dispute: text,
      })
      .meta({ id: 'ExplainedItem' }),
  ),
}).meta({ id: 'ExplainedOrder' })
const Refund = z
  .object({
    order_id: uuid('_id of the order'),
    refunded: z.number().describe('Items whose credit came back by this call'),
    credits: z.number(),
    items: z.array(z.number()).describe('Their indexes'),
  })
  .meta({ id: 'OrderRefund' })
const RefundBody = z
  .strictObject({
    items: z.array(z.int().min(0)).min(1).max(1_000).optional().describe('Indexes from 0; all of them unless told'),
    reason: reasonText('Why; the buyer sees it'),
  })
  .meta({ examples: [{ items: [0], reason: 'wrong number' }] })
const AnyDispute = z
  .object({ ...disputeShape, user_id: found.user_id, decided_by: text })
  .meta({ id: 'OperatorDispute' })
const DecideBody = z
  .strictObject({
    decision: z.enum(['accept', 'reject']).describe('accept brings the credit back'),
    reason: reasonText('For the buyer'),
  })
  .meta({ examples: [{ decision: 'accept', reason: 'confirmed by a call' }] })

export const adminOrderRoutes: Routes = async (app, { db }) => {
  app.get(
    '/admin/orders',
    {
      schema: {
        operationId: 'findOrders',
        ...admin,
        summary: 'Orders, the newest first',
        description: 'Found by any id, the e-mail of the buyer, a payment or an identifier.',
        querystring: z.object({
          search: textFilter(
            'Id of an order, item, account, dispute, payment or processor’s order; an e-mail; a CIN, DIN or GSTIN',
          ).meta({ examples: [exampleIds.order] }),
          status: z.enum(orderStates).optional().describe('Only orders in this state'),
          ...paging(100),
        }),
        response: {
          200: z.object({ data: z.array(Found), total: z.number(), page: z.number(), limit: z.number() }),
        },
      },
    },
    async ({ query }) => {
      const { orders, total } = await findOrders(db, query)
      return { data: orders.map(foundOrder), total, page: query.page, limit: query.limit }
    },
  )

  app.get(
    '/admin/orders/:id',
    {
      schema: {
        operationId: 'explainOrder',
        ...admin,
        summary: 'One order, and why each item was charged',
        description: 'With the transfer that paid for it, its refund and what its buyer reported.',
        params: OrderParams,
        response: { 200: Explained },
      },
    },
    async ({ params }) => {
      const { order, items } = await explainOrder(db, params.id)
      return {
        ...foundOrder(order),
        items: items.map((item) => ({ ...item, refunded_at: item.refunded_at?.toISOString() ?? null })),
      }
    },
  )

  app.post(
    '/admin/orders/:id/refund',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'refundOrder',
        ...admin,
        summary: 'Give the credits of items back',
        description: 'Of all items, or of those that are named; each charge once.',
        params: OrderParams,
        body: RefundBody,
        response: { 200: Refund },
      },
    },
    async (request) => {
      const { items, reason } = request.body
      const asked = { orderId: request.params.id, items, reason, actor: operatorOf(request) }
      const refund = await db.transaction((tx) => refundOrder(tx, asked))
      return { ...refund, items: [...refund.items] }
    },
  )

  app.get(
    '/admin/disputes',
    {
      schema: {
        operationId: 'listDisputes',
        ...admin,
        summary: 'Reported contacts, the longest waiting first',
        description: 'With what the buyer said and what was decided.',
        querystring: z.object({
          status: z.enum(disputeStates).optional().describe('Only those in this state'),
          ...paging(100),
        }),
        response: {
          200: z.object({ data: z.array(AnyDispute), total: z.number(), page: z.number(), limit: z.number() }),
        },
      },
    },
    async ({ query }) => {
      const { disputes, total } = await listDisputes(db, query)
      return { data: disputes.map(operatorDispute), total, page: query.page, limit: query.limit }
    },
  )

  app.post(
    '/admin/disputes/:id/decide',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'decideDispute',
        ...admin,
        summary: 'Decide a report',
        description: 'Once. An accepted one brings the credit back.',
        params: z.object({ id: uuid('dispute_id of the report').meta({ examples: [exampleIds.order] }) }),
        body: DecideBody,
        response: { 200: AnyDispute },
      },
    },
    async (request) => {
      const { decision, reason } = request.body
      const asked = { accept: decision === 'accept', note: reason, actor: operatorOf(request) }
      return operatorDispute(
        await db.transaction((tx) => decideDispute(tx, { disputeId: request.params.id, ...asked })),
      )
    },
  )
}

const foundOrder = (order: FoundOrder) => ({ ...orderSummary(order), user_id: order.userId, email: order.email })

const operatorDispute = (dispute: OperatorDispute) => ({
  ...disputeOf(dispute),
  user_id: dispute.user_id,
  decided_by: dispute.decided_by,
})

/** /api/orders: place, list, read and cancel an account's own orders. */
import { z } from 'zod'
import { cancelOrder } from '../../orders/cancel-order.ts'
import { placeOrderAnd } from '../../orders/place-order.ts'
import { listOrders, readOrder, readOrderedItems } from '../../orders/read-orders.ts'
import { audit } from '../../trail/audit.ts'
import { exampleIds } from '../example-records.ts'
import { uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { placed } from '../order-trail.ts'
import { principalOf, type Routes } from '../route-context.ts'
import {
  CreatedOrder,
  createdOrder,
  OrderBody,
  OrderDetails,
  OrderPage,
  OrderQuery,
  OrderSummary,
  orderSummary,
} from './order-schemas.ts'

const tags = ['Orders']
const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })

export const orderRoutes: Routes = async (app, { db, queue, settings }) => {
  app.post(
    '/api/orders/normal',
    {
      config: {
        idempotent: 'with-effect',
        scopes: ['order'],
        errors: ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED', 'SELLER_MISSING'],
      },
      schema: {
        operationId: 'createOrder',
        tags,
        summary: 'Order records as leads',
        description:
          'Each item costs one credit, which comes back where nobody can be reached. Items that are malformed or in no register ' +
          'refuse the whole order and name their index. Send an Idempotency-Key, so that a repeat orders nothing twice.',
        body: OrderBody,
        response: { 201: CreatedOrder },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const created = await placeOrderAnd(db, queue, settings, { accountId, ...request.body }, async (tx, order) => {
        await audit(tx, placed(accountId, order))
        const body = createdOrder(order)
        await keepAnswerOf(tx, request, 201, body)
        return body
      })
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/api/orders',
    {
      schema: {
        operationId: 'listOrders',
        tags,
        summary: 'Your orders, the newest first',
        description: 'Without their items.',
        querystring: OrderQuery,
        response: { 200: OrderPage },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { orders, total } = await listOrders(db, principalOf(request).accountId, request.query)
      return { data: orders.map(orderSummary), total, page, limit }
    },
  )

  app.get(
    '/api/orders/:id',
    {
      schema: {
        operationId: 'getOrder',
        tags,
        summary: 'One order with its items',
        description: 'And whether the credit of each came back.',
        params: OrderParams,
        response: { 200: OrderDetails },
      },
    },
    async (request) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.id)
      const items = await readOrderedItems(db, order.orderId)
      return {
        ...orderSummary(order),
        reachable: items.filter(({ hasContact }) => hasContact === true).length,
        items: items.map((item) => ({
          ...{ type: item.type, name: item.name, number: item.identifier, has_contact: item.hasContact },
          ...{ refunded: item.refundedAt !== null, already_owned: item.alreadyOwned, refund_reason: item.refundReason },
          ...{ withdrawn: item.withdrawn, dispute: item.dispute },
        })),
      }
    },
  )

  app.post(
    '/api/orders/:id/cancel',
    {
      config: { scopes: ['order'], errors: ['CONFLICT'] },
      schema: {
        operationId: 'cancelOrder',
        tags,
        summary: 'Cancel a pending order',
        description: 'A paid order stays as it is: 409.',
        params: OrderParams,
        response: { 200: OrderSummary },
      },
    },
    async (request) => orderSummary(await cancelOrder(db, principalOf(request).accountId, request.params.id)),
  )
}

/** /api/orders: place, list, read, cancel and export an account's own orders. */
import { z } from 'zod'
import { accountDb } from '../../db/account-scope.ts'
import { leadsCsv } from '../../leads/leads-csv.ts'
import { leadsOf } from '../../leads/leads-of-order.ts'
import { exportRecord } from '../../leads/nested-lead.ts'
import { cancelOrder } from '../../orders/cancel-order.ts'
import { refundItems } from '../../orders/ledger.ts'
import { placeOrderAnd } from '../../orders/place-order.ts'
import { listOrders, readOrder, readOrderedItems } from '../../orders/read-orders.ts'
import { audit } from '../../trail/audit.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds } from '../example-records.ts'
import { uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { tellTrail } from '../hooks/trail.ts'
import { placed, reasonOf } from '../order-trail.ts'
import { principalOf, type Routes } from '../route-context.ts'
import {
  CreatedOrder,
  createdOrder,
  OrderBody,
  OrderDetails,
  OrderExport,
  OrderPage,
  OrderQuery,
  OrderSummary,
  orderSummary,
} from './order-schemas.ts'

const tags = ['Orders']
const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })
const ExportQuery = z.object({ format: z.enum(['json', 'csv']).default('json').describe('json: records; csv: a file') })

export const orderRoutes: Routes = async (app, { db, dearReads, queue, settings }) => {
  const building = { leadSource: settings.leadSource, refund: refundItems }
  app.post(
    '/api/orders/normal',
    {
      config: {
        idempotent: 'with-effect',
        scopes: ['order'],
        errors: ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
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
        items: items.map(({ type, name, identifier, hasContact, refundedAt }) => {
          return { type, name, number: identifier, has_contact: hasContact, refunded: refundedAt !== null }
        }),
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

  app.get(
    '/api/orders/:id/export',
    {
      config: { errors: dearErrors },
      schema: {
        operationId: 'exportOrder',
        tags,
        summary: 'Download an order',
        description:
          'Its records as JSON, or its flat lead rows as a CSV file. Of an order that is not paid: identifiers, the names ' +
          'that you gave, and in the JSON whether anybody can be reached.',
        params: OrderParams,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The records of the order, or the CSV file',
            content: { 'application/json': { schema: OrderExport }, 'text/csv': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.id)
      const leads = await dearReads.run(request, (dearDb) => leadsOf(accountDb(dearDb), order, building))
      tellTrail(request, { identifiers: leads.map(({ identifier }) => identifier), reason: reasonOf(order) })
      if (request.query.format === 'json') return { order_id: order.orderId, data: leads.map(exportRecord) }
      const items = await readOrderedItems(db, order.orderId)
      const csv = leadsCsv(
        items.map(({ type }) => type),
        leads.map(({ row }) => row),
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="order-${order.orderId}.csv"`)
        .send(csv)
    },
  )
}

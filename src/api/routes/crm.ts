/** /api/crm: the leads of an order in the form that CRMs import. */
import { z } from 'zod'
import { deliverBuiltOrderWithin } from '../../deliver/automatic.ts'
import { buildLeadsWithin } from '../../leads/build-leads.ts'
import { leadsJson } from '../../leads/export/leads-json.ts'
import { nestedLead } from '../../leads/nested-lead.ts'
import { inColumnOrder, readLeads, type ShownLead } from '../../leads/read-leads.ts'
import { refundItems, settleRead } from '../../orders/ledger.ts'
import { placeOrderAnd } from '../../orders/place-order.ts'
import { countWithdrawn, listOrders, readOrder } from '../../orders/read-orders.ts'
import { gstinFrom } from '../../registry/identifier-input.ts'
import { audit } from '../../trail/audit.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds } from '../example-records.ts'
import { uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { tellTrail } from '../hooks/trail.ts'
import { leadAnswers, textStream } from '../lead-answers.ts'
import { placed, reasonOf } from '../order-trail.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { CrmOrders, NewLead, NewLeadBody, OrderLeads, OrderQuery } from './order-schemas.ts'

const tags = ['CRM']
const LeadFormat = z.object({ format: z.enum(['flat', 'nested']).default('flat').describe('Shape of a lead') })

export const crmRoutes: Routes = async (app, context) => {
  const { db, queue, settings } = context
  const beginAnswer = leadAnswers(context)
  const building = { leadSource: settings.leadSource, refund: refundItems }
  app.get(
    '/api/crm/orders/:order_id/leads',
    {
      config: { errors: dearErrors },
      schema: {
        operationId: 'listOrderLeads',
        tags,
        summary: 'The leads of an order',
        description:
          'One flat row of scalars per item, or the older nested shape. Until the order is paid a row holds the identifier and ' +
          'the name that you gave, and all other columns are null.',
        params: z.object({ order_id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) }),
        querystring: LeadFormat,
        // Sent as it is read: the schema describes it, and shapes nothing.
        response: {
          200: { description: 'The leads', content: { 'application/json': { schema: OrderLeads as z.ZodType } } },
        },
      },
    },
    async (request, reply) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.order_id)
      const isFlat = request.query.format === 'flat'
      const slices = await beginAnswer(request, reply, [order])
      const { orderId, orderName, paymentStatus, status } = order
      const head = { order_id: orderId, order_name: orderName, payment_status: paymentStatus, status }
      const shape = isFlat ? ({ type, row }: ShownLead) => inColumnOrder(type, row) : nestedLead
      const tail = (total: number) => ({ total })
      const chunks = leadsJson(slices(isFlat ? 'rows' : 'all'), { head, list: 'leads', shape, tail })
      return reply.type('application/json; charset=utf-8').send(textStream(chunks))
    },
  )
  app.get(
    '/api/crm/orders',
    {
      schema: {
        operationId: 'listCrmOrders',
        tags,
        summary: 'Your orders, as a CRM imports them',
        description: 'The newest first, each with the number of its leads; ask for those by the id of the order.',
        querystring: OrderQuery,
        response: { 200: CrmOrders },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { orders, total } = await listOrders(db, principalOf(request).accountId, request.query)
      const withdrawn = await countWithdrawn(
        db,
        orders.filter(({ paymentStatus }) => paymentStatus === 'paid').map(({ orderId }) => orderId),
      )
      return {
        data: orders.map((order) => ({
          order_id: order.orderId,
          order_name: order.orderName,
          payment_status: order.paymentStatus,
          status: order.status,
          total: order.itemsCount - order.refundedAmount - (withdrawn.get(order.orderId) ?? 0),
          created_at: order.createdAt.toISOString(),
        })),
        total,
        page,
        limit,
      }
    },
  )
  app.post(
    '/api/crm/newlead',
    {
      config: {
        idempotent: 'with-effect',
        scopes: ['order'],
        errors: ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
      },
      schema: {
        operationId: 'createLead',
        tags,
        summary: 'Order one GST registration and get its lead at once',
        description:
          'Costs one credit, which comes back where nobody can be reached; lead is null then. The lead goes on into your destinations ' +
          'that deliver automatically. With `format=nested` the lead has ' +
          'the older nested shape.',
        body: NewLeadBody,
        querystring: LeadFormat,
        response: { 201: NewLead },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { entity_type: type, identifier: written } = request.body
      const identifier = gstinFrom(written, 'identifier')
      const asked = {
        accountId,
        orderName: `New lead ${identifier}`,
        paymentOption: 'credits',
        items: [{ type, name: identifier, number: identifier }],
      }
      const created = await placeOrderAnd(db, queue, settings, asked, async (tx, order) => {
        await audit(tx, placed(accountId, order))
        // The lead is part of the answer, so it is built here; the job then finds nothing missing.
        await buildLeadsWithin(tx, { ...building, orderId: order.orderId })
        const [lead] = await readLeads(tx, order.orderId)
        await settleRead(tx, order.orderId)
        tellTrail(request, { reason: reasonOf(order) })
        const destinations = await deliverBuiltOrderWithin(tx, queue, order.orderId)
        const body = {
          order_id: order.orderId,
          status: order.status,
          payment_status: order.paymentStatus,
          lead: !lead ? null : request.query.format === 'nested' ? nestedLead(lead) : { ...lead.row },
          destinations,
        }
        await keepAnswerOf(tx, request, 201, body)
        return body
      })
      return reply.code(201).send(created)
    },
  )
}

/** /api/crm: the leads of an order in the form that CRMs import. */
import { z } from 'zod'
import { nestedLead } from '../../leads/nested-lead.ts'
import { placeOrder } from '../../orders/place-order.ts'
import { readOrder } from '../../orders/read-orders.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { NewLead, NewLeadBody, OrderLeads } from './order-schemas.ts'
import { leadsOf } from './orders.ts'

const tags = ['CRM']

export const crmRoutes: Routes = async (app, { db, queue, settings }) => {
  app.get(
    '/api/crm/orders/:order_id/leads',
    {
      schema: {
        tags,
        summary: 'The leads of an order: one flat row of scalars per item, or the older nested shape',
        params: z.object({ order_id: z.string() }),
        querystring: z.object({ format: z.enum(['flat', 'nested']).default('flat') }),
        response: { 200: OrderLeads },
      },
    },
    async (request) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.order_id)
      const leads = await leadsOf(db, order, settings.leadSource)
      return {
        order_id: order.orderId,
        order_name: order.orderName,
        payment_status: order.paymentStatus,
        status: order.status,
        leads: request.query.format === 'flat' ? leads.map(({ row }) => ({ ...row })) : leads.map(nestedLead),
        total: leads.length,
      }
    },
  )
  app.post(
    '/api/crm/newlead',
    {
      config: { idempotent: true },
      schema: {
        tags,
        summary: 'Order one GST registration for a credit and get its lead at once',
        body: NewLeadBody,
        response: { 201: NewLead },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { entity_type: type, identifier } = request.body
      const order = await placeOrder(db, queue, settings, {
        accountId,
        orderName: `New lead ${identifier}`,
        paymentOption: 'credits',
        items: [{ type, name: identifier, number: identifier }],
      })
      const [lead] = await leadsOf(db, order, settings.leadSource)
      return reply.code(201).send({
        order_id: order.orderId,
        status: order.status,
        payment_status: order.paymentStatus,
        lead: lead ? { ...lead.row } : null,
      })
    },
  )
}

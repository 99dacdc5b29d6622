/** /api/crm: the leads of an order in the form that CRMs import. */
import { z } from 'zod'
import { nestedLead } from '../../leads/nested-lead.ts'
import { readOrder } from '../../orders/read-orders.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { OrderLeads } from './order-schemas.ts'
import { leadsOf } from './orders.ts'

const tags = ['CRM']

export const crmRoutes: Routes = async (app, { db, settings }) => {
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
}

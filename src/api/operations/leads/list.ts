import { z } from 'zod'
import { leadsJson } from '../../../leads/export/leads-json.ts'
import { nestedLead } from '../../../leads/nested-lead.ts'
import { inColumnOrder, type ShownLead } from '../../../leads/read-leads.ts'
import { readOrder } from '../../../orders/read-orders.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { beginLeadAnswer, textStream } from '../../lead-answers.ts'
import { operation } from '../../operation.ts'
import { OrderLeads } from '../orders/order-schemas.ts'
import { LeadFormat } from './lead-schemas.ts'
import example from './list.example.json' with { type: 'json' }

export default operation({
  id: 'listOrderLeads',
  method: 'GET',
  path: '/api/crm/orders/:order_id/leads',
  summary: 'List the leads of an order',
  description:
    'One flat row of scalars per item, or the older nested shape; a refunded item has none, nor has an order whose money was refunded. Until the ' +
    'order is paid, a row has the identifier and the name that you gave; all other columns are null.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  errors: expensiveErrors,
  params: z.object({ order_id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) }),
  query: LeadFormat,
  reply: {
    200: { description: 'The leads', content: { 'application/json': { schema: OrderLeads as z.ZodType } } },
  },
  example,
  handle: async (context, request, { accountId }, reply) => {
    const order = await readOrder(context.db, accountId, request.params.order_id)
    const isFlat = request.query.format === 'flat'
    const { slices, send } = await beginLeadAnswer(context, request, reply, [order])
    const { orderId, orderName, paymentStatus, status } = order
    const head = { order_id: orderId, order_name: orderName, payment_status: paymentStatus, status }
    const shape = isFlat ? ({ type, row }: ShownLead) => inColumnOrder(type, row) : nestedLead
    const tail = (total: number) => ({ total })
    const chunks = leadsJson(slices(isFlat ? 'rows' : 'all'), { head, list: 'leads', shape, tail })
    reply.type('application/json; charset=utf-8')
    return send(reply, textStream(chunks))
  },
})

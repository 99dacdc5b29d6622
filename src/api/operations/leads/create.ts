import { audit } from '../../../audit/audit.ts'
import { deliverBuiltOrderWithin } from '../../../deliver/push/automatic.ts'
import { buildLeadsWithin } from '../../../leads/build-leads.ts'
import { nestedLead } from '../../../leads/nested-lead.ts'
import { readLeads } from '../../../leads/read-leads.ts'
import { refundItems, settleRead } from '../../../orders/ledger.ts'
import { placeOrderAnd } from '../../../orders/place-order.ts'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { placed, reasonOf } from '../../order-audit-log.ts'
import { NewLead, NewLeadBody } from '../orders/order-schemas.ts'
import { LeadFormat } from './lead-schemas.ts'

export default operation({
  id: 'createLead',
  method: 'POST',
  path: '/api/crm/newlead',
  summary: 'Order one GST registration and get its lead at once',
  description:
    'Costs one credit, refunded where there is no contact; lead is null then. The lead is also delivered to your destinations ' +
    'that deliver automatically. With `format=nested` the lead has ' +
    'the older nested shape.',
  caller: { scopes: ['order'] },
  audit: { reads: 'leads' },
  errors: ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  idempotent: 'with-effect',
  query: LeadFormat,
  body: NewLeadBody,
  reply: { 201: NewLead },
  example: {
    order_id: 'ac4609bd-f422-441b-82b9-ba34ef902130',
    status: 'completed',
    payment_status: 'paid',
    lead: null,
    destinations: [],
  },
  handle: async ({ db, queue, settings }, request, { accountId }) => {
    const building = { leadSource: settings.leadSource, refund: refundItems }
    const { entity_type: type, identifier: written } = request.body
    const identifier = gstinFrom(written, 'identifier')
    const input = {
      accountId,
      orderName: `New lead ${identifier}`,
      paymentOption: 'credits',
      items: [{ type, name: identifier, number: identifier }],
    }
    return placeOrderAnd(db, queue, settings, input, async (tx, order) => {
      await audit(tx, placed(accountId, order))
      // The lead is part of the answer, so it is built here; the job then finds nothing left to build.
      await buildLeadsWithin(tx, { ...building, orderId: order.orderId })
      const [lead] = await readLeads(tx, order.orderId)
      await settleRead(tx, order.orderId)
      addReadings(request, { reason: reasonOf(order) })
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
  },
})

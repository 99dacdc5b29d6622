import { readCause } from '../../../orders/order-cause.ts'
import { readOrder, readOrderedItems } from '../../../orders/read-orders.ts'
import { operation } from '../../operation.ts'
import example from './get.example.json' with { type: 'json' }
import { OrderParams } from './life-schemas.ts'
import { OrderDetails, orderSummary } from './order-schemas.ts'

export default operation({
  id: 'getOrder',
  method: 'GET',
  path: '/api/orders/:id',
  summary: 'Get an order with its items',
  description: 'Including whether the credit of each was refunded.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: OrderParams,
  reply: { 200: OrderDetails },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const order = await readOrder(db, accountId, request.params.id)
    const items = await readOrderedItems(db, order.orderId)
    return {
      ...orderSummary(order),
      standing_order: await readCause(db, order.orderId),
      reachable: items.filter(({ hasContact }) => hasContact === true).length,
      items: items.map((item) => ({
        ...{ type: item.type, name: item.name, number: item.identifier, has_contact: item.hasContact },
        ...{ refunded: item.refundedAt !== null, already_owned: item.alreadyOwned, refund_reason: item.refundReason },
        ...{ withdrawn: item.withdrawn, dispute: item.dispute },
        may_be_reported: item.mayBeReported,
      })),
    }
  },
})

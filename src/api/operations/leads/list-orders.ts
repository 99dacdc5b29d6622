import { countWithdrawn, listOrders } from '../../../orders/read-orders.ts'
import { operation } from '../../operation.ts'
import { CrmOrders, OrderQuery } from '../orders/order-schemas.ts'
import example from './list-orders.example.json' with { type: 'json' }

export default operation({
  id: 'listCrmOrders',
  method: 'GET',
  path: '/api/crm/orders',
  summary: 'List your orders for CRM import',
  description: 'Newest first, each with its number of leads; get those with the ID of the order.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: OrderQuery,
  reply: { 200: CrmOrders },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { orders, total } = await listOrders(db, accountId, request.query)
    const withdrawn = await countWithdrawn(
      db,
      orders.map(({ orderId }) => orderId),
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
})

import { listOrders } from '../../../orders/read-orders.ts'
import { operation } from '../../operation.ts'
import example from './list.example.json' with { type: 'json' }
import { OrderPage, OrderQuery, orderSummary } from './order-schemas.ts'

export default operation({
  id: 'listOrders',
  method: 'GET',
  path: '/api/orders',
  summary: 'List your orders',
  description: 'Without their items, newest first unless sorted.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: OrderQuery,
  reply: { 200: OrderPage },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { orders, total } = await listOrders(db, accountId, request.query)
    return { data: orders.map(orderSummary), total, page, limit }
  },
})

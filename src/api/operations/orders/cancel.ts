import { cancelOrder } from '../../../orders/cancel-order.ts'
import { operation } from '../../operation.ts'
import example from './cancel.example.json' with { type: 'json' }
import { OrderParams } from './life-schemas.ts'
import { OrderSummary, orderSummary } from './order-schemas.ts'

export default operation({
  id: 'cancelOrder',
  method: 'POST',
  path: '/api/orders/:id/cancel',
  summary: 'Cancel a pending order',
  description: 'A paid order cannot be cancelled: 409.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['CONFLICT'],
  ends: true,
  params: OrderParams,
  reply: { 200: OrderSummary },
  example,
  handle: async ({ db }, request, { accountId }) => orderSummary(await cancelOrder(db, accountId, request.params.id)),
})

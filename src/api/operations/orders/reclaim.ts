import { reclaimOrder } from '../../../orders/reclaim-order.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { OrderParams, Reclaimed } from './life-schemas.ts'

export default operation({
  id: 'reclaimOrder',
  method: 'POST',
  path: '/api/orders/:id/reclaim',
  summary: 'Buy items that were unreachable when the order was paid',
  description:
    'For 30 days, items that were refunded because there was no contact, and that have one now, are ' +
    'charged and delivered. A repeat finds only what is left.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['INSUFFICIENT_CREDITS', 'CONFLICT'],
  params: OrderParams,
  body: noBody,
  reply: { 200: Reclaimed },
  example: {
    order_id: '6e5e572d-8c53-4f54-8894-ca1c4302d5da',
    credits: 0,
    items: [],
    still_unreachable: 0,
  },
  handle: async ({ db, queue }, request, { accountId }) => {
    return reclaimOrder(db, queue, { accountId, orderId: request.params.id })
  },
})

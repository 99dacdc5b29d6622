import { z } from 'zod'
import { refundOrder } from '../../../orders/refund-order.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { reasonText } from '../../parameters.ts'
import { OrderParams } from './life-schemas.ts'

const Refund = z
  .object({
    order_id: uuid('_id of the order'),
    refunded: z.number().describe('Items that this call refunded'),
    credits: z.number(),
    money_back: z
      .number()
      .describe('Withdrawn items whose credit was already reversed with an earlier partial refund of the money'),
    items: z.array(z.number()).describe('Their indexes'),
  })
  .meta({ id: 'OrderRefund' })
const RefundBody = z
  .strictObject({
    items: z.array(z.int().min(0)).min(1).max(1_000).optional().describe('Indexes from 0; all items by default'),
    reason: reasonText('Reason; visible to the buyer'),
  })
  .meta({ examples: [{ items: [0], reason: 'wrong number' }] })

export default operation({
  id: 'refundOrder',
  method: 'POST',
  path: '/admin/orders/:id/refund',
  summary: 'Refund items of an order',
  description: 'All items, or those that are named; each charge once.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['CONFLICT'],
  params: OrderParams,
  body: RefundBody,
  reply: { 200: Refund },
  example: {
    order_id: '591a4ae1-18cb-4e12-827c-5cc3bd0da976',
    refunded: 1,
    credits: 1,
    money_back: 0,
    items: [0],
  },
  handle: async ({ db }, request, actor) => {
    const { items, reason } = request.body
    const input = { orderId: request.params.id, items, reason, actor }
    return db.transaction((tx) => refundOrder(tx, input))
  },
})

import { z } from 'zod'
import { openDispute } from '../../../orders/disputes.ts'
import { orderItemsMax } from '../../../orders/order-items.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { Dispute, disputeOf, OrderParams } from './life-schemas.ts'

const DisputeBody = z
  .strictObject({ reason: plainText(1_000).trim().min(1).describe('What is wrong with the contact') })
  .meta({ examples: [{ reason: 'The number belongs to somebody else.' }] })
const ItemParams = OrderParams.extend({
  n: z.coerce
    .number()
    .int()
    .min(0)
    .max(orderItemsMax - 1)
    .meta({ description: 'Index of the item in the request, from 0', examples: [0] }),
})

export default operation({
  id: 'disputeItem',
  method: 'POST',
  path: '/api/orders/:id/items/:n/dispute',
  summary: 'Report a bad contact',
  description:
    'Within 30 days after it was charged, once per charge. An operator decides; an accepted report refunds the credit.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['CONFLICT', 'QUOTA_EXCEEDED'],
  params: ItemParams,
  body: DisputeBody,
  reply: { 201: Dispute },
  example: {
    dispute_id: 'bb637f87-9fdb-406a-be74-07363dbfe64e',
    order_id: 'b174a2fb-6f54-40aa-b979-001a254eaf76',
    index: 0,
    type: 'company',
    number: 'U85100GA2022PTC015001',
    reason: 'Nobody answers.',
    status: 'open',
    opened_at: '2026-11-23T17:06:37.708Z',
    decided_at: null,
    note: null,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { id: orderId, n: index } = request.params
    const reported = { orderId, index, reason: request.body.reason }
    const dispute = await db.transaction((tx) => openDispute(tx, accountId, reported))
    return disputeOf(dispute)
  },
})

import { z } from 'zod'
import { audit } from '../../../audit/audit.ts'
import { retryDeliveries } from '../../../deliver/record/retry.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'
import { Retried } from './delivery-schemas.ts'

const RetryBody = z
  .strictObject({
    user_id: idText('Only deliveries of this account').optional(),
    order_id: idText('Only deliveries of this order').optional(),
    destination_id: idText('Only deliveries to this destination').optional(),
    delivery_id: idText('Only this delivery').optional(),
  })
  .nullish()
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export default operation({
  id: 'retryDeliveriesOf',
  method: 'POST',
  path: '/admin/deliveries/retry',
  summary: 'Retry rejected or deferred deliveries',
  description: 'All rejected or waiting deliveries, those of one account, order or destination, or a single one.',
  caller: { role: 'operator' },
  audit: 'act',
  body: RetryBody,
  reply: { 200: Retried },
  example: {
    retried: 0,
  },
  handle: async ({ db, queue }, request, actor) => {
    const { user_id, order_id, destination_id, delivery_id } = request.body ?? {}
    const retried = await db.transaction(async (tx) => {
      const selection = {
        accountId: user_id,
        orderId: order_id,
        destinationId: destination_id,
        deliveryId: delivery_id,
      }
      const count = await retryDeliveries(tx, queue, selection)
      const subject = delivery_id ?? destination_id ?? order_id ?? user_id ?? 'all'
      await audit(tx, { actor, action: 'retry deliveries', subject, detail: { retried: count } })
      return count
    })
    return { retried }
  },
})

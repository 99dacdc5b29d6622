import { retryDeliveries } from '../../../deliver/record/retry.ts'
import { operation } from '../../operation.ts'
import { Retried, RetryBody } from './delivery-schemas.ts'

export default operation({
  id: 'retryDeliveries',
  method: 'POST',
  path: '/api/crm/deliveries/retry',
  summary: 'Retry rejected deliveries',
  description: 'All rejected or waiting deliveries, or those of one order or destination.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  body: RetryBody,
  reply: { 200: Retried },
  example: {
    retried: 0,
  },
  handle: async ({ db, queue }, request, { accountId }) => {
    const { order_id: orderId, destination_id: destinationId } = request.body ?? {}
    return {
      retried: await db.transaction((tx) => retryDeliveries(tx, queue, { accountId, orderId, destinationId })),
    }
  },
})

import { retryDeliveries } from '../../../deliver/record/retry.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { Retried, RetryBody } from './delivery-schemas.ts'

export default operation({
  id: 'retryDeliveries',
  method: 'POST',
  path: '/api/crm/deliveries/retry',
  tag: 'CRM',
  summary: 'Ask the CRMs again for what they refused',
  description: 'All that was refused or waits, or that of one order or destination.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  body: RetryBody,
  reply: { 200: Retried },
  example: {
    retried: 0,
  },
  handle:
    ({ db, queue }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const { order_id: orderId, destination_id: destinationId } = request.body ?? {}
      return {
        retried: await db.transaction((tx) => retryDeliveries(tx, queue, { accountId, orderId, destinationId })),
      }
    },
})

import { readDelivery } from '../../../deliver/record/list-deliveries.ts'
import { retryDeliveries } from '../../../deliver/record/retry.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { DeliveryPath, Retried } from './delivery-schemas.ts'

export default operation({
  id: 'retryDelivery',
  method: 'POST',
  path: '/api/crm/deliveries/:delivery_id/retry',
  summary: 'Send one lead again',
  description:
    'Rejected, waiting or delivered: what the CRM already holds is not written, and a record that was deleted there is created again. `retried` is 0 for a lead that was refunded, withdrawn or objected to.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  params: DeliveryPath,
  body: noBody,
  reply: { 200: Retried },
  example: {
    retried: 1,
  },
  handle: async ({ db, queue }, request, { accountId }) => {
    const { delivery_id: deliveryId } = request.params
    await readDelivery(db, deliveryId, accountId)
    return { retried: await db.transaction((tx) => retryDeliveries(tx, queue, { accountId, deliveryId })) }
  },
})

import { deliverySorts, listDeliveries } from '../../../deliver/record/list-deliveries.ts'
import { operation } from '../../operation.ts'
import { growing, sorting } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { DeliveryPage, DeliveryQuery, deliveryRow } from './delivery-schemas.ts'
import example from './find.example.json' with { type: 'json' }

export default operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/crm/deliveries',
  tag: 'CRM',
  summary: 'What became of your leads in your CRMs, newest first unless sorted',
  description:
    "One row per lead and destination, with the CRM's own code, field and sentence, and the record's page there.",
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  query: DeliveryQuery.extend({ ...sorting(deliverySorts), ...growing }),
  reply: { 200: DeliveryPage },
  example,
  handle:
    ({ db }) =>
    async (request) => {
      const {
        order_id: orderId,
        destination_id: destinationId,
        outcome,
        record,
        page,
        limit,
        sort,
        until,
      } = request.query
      const { accountId } = principalOf(request)
      const { deliveries, total } = await listDeliveries(db, {
        ...{ accountId, orderId, destinationId, outcome, record },
        ...{ limit, offset: (page - 1) * limit, sort, until },
      })
      return { data: deliveries.map(deliveryRow), total, page, limit }
    },
})

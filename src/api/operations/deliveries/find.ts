import { deliverySorts, listDeliveries } from '../../../deliver/record/list-deliveries.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { growing, idText, sorting } from '../../parameters.ts'
import { DeliveryPage, DeliveryQuery, deliveryRow } from './delivery-schemas.ts'
import example from './find.example.json' with { type: 'json' }

export default operation({
  id: 'findDeliveries',
  method: 'GET',
  path: '/admin/deliveries',
  tag: 'Operations',
  summary: 'What became of leads in CRMs, newest first unless sorted',
  description:
    "Of all accounts: one row per lead and destination, with the CRM's own code, field and sentence, and the record's page there.",
  caller: { role: 'viewer' },
  audit: { reads: 'leads' },
  query: DeliveryQuery.extend({
    ...sorting(deliverySorts),
    ...growing,
    user_id: idText('Of this account')
      .meta({ examples: [exampleIds.account] })
      .optional(),
  }),
  reply: { 200: DeliveryPage },
  example,
  handle:
    ({ db }) =>
    async ({ query }) => {
      const {
        user_id: accountId,
        order_id: orderId,
        destination_id: destinationId,
        outcome,
        record,
        page,
        limit,
        sort,
        until,
      } = query
      const { deliveries, total } = await listDeliveries(db, {
        ...{ accountId, orderId, destinationId, outcome, record },
        ...{ limit, offset: (page - 1) * limit, sort, until },
      })
      return { data: deliveries.map(deliveryRow), total, page, limit }
    },
})

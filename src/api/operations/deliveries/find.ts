import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'
import { DeliveryPage } from './delivery-schemas.ts'
import example from './find.example.json' with { type: 'json' }
import { DeliveryPageQuery, pageOfDeliveries } from './page-of-deliveries.ts'

export default operation({
  id: 'findDeliveries',
  method: 'GET',
  path: '/admin/deliveries',
  summary: 'List deliveries of all accounts',
  description:
    "One row per lead and destination, with the CRM's own code, field and message, and the record's page there. Newest first unless sorted.",
  caller: { role: 'viewer' },
  audit: { reads: 'leads' },
  query: DeliveryPageQuery.extend({
    user_id: idText('Only deliveries of this account')
      .meta({ examples: [exampleIds.account] })
      .optional(),
  }),
  reply: { 200: DeliveryPage },
  example,
  handle: ({ db }, { query }) => pageOfDeliveries(db, query.user_id, query),
})

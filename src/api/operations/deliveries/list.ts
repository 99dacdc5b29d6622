import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { DeliveryPage } from './delivery-schemas.ts'
import example from './find.example.json' with { type: 'json' }
import { DeliveryPageQuery, pageOfDeliveries } from './page-of-deliveries.ts'

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
  query: DeliveryPageQuery,
  reply: { 200: DeliveryPage },
  example,
  handle:
    ({ db }) =>
    (request) =>
      pageOfDeliveries(db, principalOf(request).accountId, request.query),
})

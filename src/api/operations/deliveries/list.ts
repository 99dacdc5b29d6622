import { operation } from '../../operation.ts'
import { DeliveryPage } from './delivery-schemas.ts'
import example from './find.example.json' with { type: 'json' }
import { DeliveryPageQuery, pageOfDeliveries } from './page-of-deliveries.ts'

export default operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/crm/deliveries',
  summary: 'List your deliveries',
  description:
    "One row per lead and destination, with the CRM's own code, field and message, and the record's page there. Newest first unless sorted.",
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  query: DeliveryPageQuery,
  reply: { 200: DeliveryPage },
  example,
  handle: ({ db }, request, { accountId }) => pageOfDeliveries(db, accountId, request.query),
})

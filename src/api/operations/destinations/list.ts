import { listDestinations } from '../../../deliver/destinations/destination-view.ts'
import { operation } from '../../operation.ts'
import { Destinations } from './destination-schemas.ts'
import destination from './get.example.json' with { type: 'json' }

export default operation({
  id: 'listDestinations',
  method: 'GET',
  path: '/api/crm/destinations',
  summary: 'List your destinations',
  description:
    'The CRMs that leads are delivered to, oldest first, with what is holding one up. Secrets of their settings are never shown.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  reply: { 200: Destinations },
  example: {
    data: [destination],
  },
  handle: async ({ delivery }, _request, { accountId }) => ({ data: await listDestinations(delivery, accountId) }),
})

import { operation } from '../../operation.ts'
import { DestinationKinds } from '../destinations/destination-schemas.ts'
import { kindsOf } from '../destinations/kinds.ts'
import example from '../destinations/list-kinds.example.json' with { type: 'json' }

export default operation({
  id: 'listKindsForOperators',
  method: 'GET',
  path: '/admin/destinations/kinds',
  summary: 'Kinds of CRM that can be connected to an account',
  description: 'The same list that accounts get from GET /api/crm/kinds.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: DestinationKinds },
  example,
  handle: async ({ delivery }) => kindsOf(delivery),
})

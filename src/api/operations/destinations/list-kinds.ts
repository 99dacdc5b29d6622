import { operation } from '../../operation.ts'
import { DestinationKinds } from './destination-schemas.ts'
import { kindsOf } from './kinds.ts'
import example from './list-kinds.example.json' with { type: 'json' }

export default operation({
  id: 'listDestinationKinds',
  method: 'GET',
  path: '/api/crm/kinds',
  summary: 'List the kinds of CRM that can be connected',
  description:
    'With what each needs for each way to sign in, and its options. Anything else that its manual names also goes into settings.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: DestinationKinds },
  example,
  handle: async ({ delivery }) => kindsOf(delivery),
})

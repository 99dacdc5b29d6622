import { operation } from '../../operation.ts'
import { DestinationKinds } from './destination-schemas.ts'
import { kindsOf } from './kinds.ts'
import example from './list-kinds.example.json' with { type: 'json' }

export default operation({
  id: 'listDestinationKinds',
  method: 'GET',
  path: '/api/crm/kinds',
  tag: 'CRM',
  summary: 'Kinds of CRM that can be connected',
  description:
    'With what each asks for by each way to sign in, and its options; whatever else its manual names goes into settings, too.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: DestinationKinds },
  example,
  handle: ({ delivery }) => {
    const kinds = kindsOf(delivery)
    return async () => kinds
  },
})

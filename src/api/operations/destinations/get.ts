import { showDestination } from '../../../deliver/destinations/destination-view.ts'
import { operation } from '../../operation.ts'
import { path } from './destination-path.ts'
import { Destination, DestinationPath } from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export default operation({
  id: 'getDestination',
  method: 'GET',
  path,
  summary: 'One destination',
  description: 'With its state and, where it is broken, the reason.',
  caller: { scopes: ['deliver'], atLeast: 'viewer' },
  audit: 'nothing',
  params: DestinationPath,
  reply: { 200: Destination },
  example,
  handle: async ({ delivery }, request, { accountId }) =>
    showDestination(delivery, request.params.destination_id, accountId),
})

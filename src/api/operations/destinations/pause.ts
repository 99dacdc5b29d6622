import { pauseDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { path } from './destination-path.ts'
import { Destination, DestinationPath } from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export default operation({
  id: 'pauseDestination',
  method: 'POST',
  path: `${path}/pause`,
  tag: 'CRM',
  summary: 'Pause deliveries to a CRM',
  description: 'Nothing is sent until it is resumed; leads ordered in the meantime wait.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  params: DestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: async ({ delivery }, request) =>
    pauseDestination(delivery, request.params.destination_id, principalOf(request).accountId),
})

import { resumeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { path } from './destination-path.ts'
import { Destination, DestinationPath } from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export default operation({
  id: 'resumeDestination',
  method: 'POST',
  path: `${path}/resume`,
  tag: 'CRM',
  summary: 'Resume deliveries to a CRM',
  description: 'Sends the leads that are waiting; a broken destination is retried at once.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  params: DestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: async ({ delivery }, request) =>
    resumeDestination(delivery, request.params.destination_id, principalOf(request).accountId),
})

import { removeDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { path } from './destination-path.ts'
import { Destination, DestinationPath } from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export default operation({
  id: 'deleteDestination',
  method: 'DELETE',
  path,
  tag: 'CRM',
  summary: 'Remove a destination',
  description:
    'Deletes its credentials. A later destination for the same CRM account picks up what was delivered there. Standing orders continue ' +
    'with their other destinations; one without any other waits until it is given one.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  params: DestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: async ({ delivery }, request) =>
    removeDestination(delivery, request.params.destination_id, principalOf(request).accountId),
})

import { updateDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { path } from './destination-path.ts'
import {
  Destination,
  DestinationChangeBody,
  DestinationPath,
  settingsBodyBytesMax,
  termsIn,
} from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export default operation({
  id: 'updateDestination',
  method: 'PATCH',
  path,
  summary: 'Change a destination or renew its credentials',
  description:
    'The destination keeps its identity and its ledger; waiting leads continue automatically with the new credentials. ' +
    'With the `revision` that you read, the call fails where somebody changed the destination since.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['DESTINATION_INVALID', 'CONFLICT'],
  bodyBytesMax: settingsBodyBytesMax,
  params: DestinationPath,
  body: DestinationChangeBody,
  reply: { 200: Destination },
  example,
  handle: async ({ delivery }, request, { accountId }) => {
    const { name, settings, options, revision } = request.body
    const change = { name, settings, options, ...termsIn(request.body) }
    return updateDestination(delivery, request.params.destination_id, change, accountId, revision)
  },
})

import { addDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import example from './create.example.json' with { type: 'json' }
import { Destination, NewDestinationBody, settingsBodyBytesMax, termsIn } from './destination-schemas.ts'

export default operation({
  id: 'createDestination',
  method: 'POST',
  path: '/api/crm/destinations',
  summary: 'Connect a CRM',
  description: 'Checks the settings and stores them encrypted; the CRM is not called yet. Test the destination next.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['DESTINATION_INVALID', 'CONFLICT', 'QUOTA_EXCEEDED', 'NOT_FOUND'],
  bodyBytesMax: settingsBodyBytesMax,
  body: NewDestinationBody,
  reply: { 201: Destination },
  example,
  handle: async ({ db, delivery }, request, { accountId }) => {
    const { type: connector, name, settings } = request.body
    const given = { accountId, connector, name, settings, ...termsIn(request.body) }
    return await addDestination(db, delivery.connectors, delivery.secretKey, given)
  },
})

import { getAccount } from '../../../access/accounts.ts'
import { addDestination } from '../../../deliver/destinations/destinations.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import example from '../destinations/create.example.json' with { type: 'json' }
import { Destination, NewDestinationBody, settingsBodyBytesMax, termsIn } from '../destinations/destination-schemas.ts'

export default operation({
  id: 'createAccountDestination',
  method: 'POST',
  path: '/admin/users/:id/destinations',
  summary: 'Connect a CRM to an account',
  description: 'Checks the settings and stores them encrypted; the CRM is not called yet. Test the destination next.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['DESTINATION_INVALID', 'CONFLICT', 'QUOTA_EXCEEDED'],
  bodyBytesMax: settingsBodyBytesMax,
  params: UserPath,
  body: NewDestinationBody,
  reply: { 201: Destination },
  example,
  handle: async ({ db, delivery: { connectors, secretKey } }, request) => {
    const { type: connector, name, settings } = request.body
    const { accountId } = await getAccount(db, request.params.id)
    const given = { accountId, connector, name, settings, ...termsIn(request.body) }
    return await addDestination(db, connectors, secretKey, given)
  },
})

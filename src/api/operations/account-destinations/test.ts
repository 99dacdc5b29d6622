import { getAccount } from '../../../access/accounts.ts'
import { testDestination } from '../../../deliver/destinations/test-destination.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { DestinationTest } from '../destinations/destination-schemas.ts'
import { AccountDestinationPath, path } from './account-destination.ts'

export default operation({
  id: 'testAccountDestination',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Sign in to the CRM of an account and check its fields',
  description:
    'Creates the fields that deliveries need where it may; otherwise says word for word what an administrator must do.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['DESTINATION_INVALID', 'CRM_UNAUTHORIZED', 'CRM_UNAVAILABLE', 'TOO_MANY_CONCURRENT'],
  params: AccountDestinationPath,
  body: noBody,
  reply: { 200: DestinationTest },
  example: {
    ok: true,
    checks: [{ name: 'sign-in', ok: true, detail: 'the credentials are accepted, for the account 00D000000000001' }],
  },
  handle: async ({ db, delivery }, request) => {
    const { id, destination_id: destinationId } = request.params
    const { accountId } = await getAccount(db, id)
    return delivery.crmRequests.run(
      request,
      (signal) => testDestination(delivery, destinationId, signal, accountId),
      accountId,
    )
  },
})

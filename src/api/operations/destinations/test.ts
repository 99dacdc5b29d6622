import { testDestination } from '../../../deliver/destinations/test-destination.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { path } from './destination-path.ts'
import { DestinationPath, DestinationTest } from './destination-schemas.ts'

export default operation({
  id: 'testDestination',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Sign in to the CRM and check its fields',
  description:
    'Creates the fields that deliveries need where it may; otherwise says word for word what an administrator must do.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['DESTINATION_INVALID', 'CRM_UNAUTHORIZED', 'CRM_UNAVAILABLE', 'TOO_MANY_CONCURRENT'],
  params: DestinationPath,
  body: noBody,
  reply: { 200: DestinationTest },
  example: {
    ok: true,
    checks: [
      {
        name: 'sign-in',
        ok: true,
        detail: 'the credentials are accepted, for the account 00D000000000001',
      },
    ],
  },
  handle: async ({ delivery }, request, { accountId }) => {
    const { destination_id: id } = request.params
    return delivery.crmRequests.run(request, (signal) => testDestination(delivery, id, signal, accountId))
  },
})

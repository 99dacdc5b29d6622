import { getAccount } from '../../../access/accounts.ts'
import { listDestinations } from '../../../deliver/destinations/destination-view.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { Destinations } from '../destinations/destination-schemas.ts'
import destination from '../destinations/get.example.json' with { type: 'json' }

export default operation({
  id: 'listAccountDestinations',
  method: 'GET',
  path: '/admin/users/:id/destinations',
  summary: 'The CRMs of an account',
  description: 'With their state; secrets are shown as [hidden].',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: Destinations },
  example: { data: [destination] },
  handle: async ({ db, delivery }, { params: { id } }) => {
    const { accountId } = await getAccount(db, id)
    return { data: await listDestinations(delivery, accountId) }
  },
})

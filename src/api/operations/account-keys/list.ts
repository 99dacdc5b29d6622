import { getAccount } from '../../../access/accounts.ts'
import { keyState, listApiKeys } from '../../../access/manage-keys.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { ApiKeys } from '../keys/key-schemas.ts'
import example from './list.example.json' with { type: 'json' }

export default operation({
  id: 'listAccountKeys',
  method: 'GET',
  path: '/admin/users/:id/keys',
  summary: "List an account's API keys",
  description: 'With scopes, last use and expiry, newest first.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: ApiKeys },
  example,
  handle: async ({ db }, { params: { id } }) => {
    const { accountId } = await getAccount(db, id)
    return { data: (await listApiKeys(db, accountId)).map(keyState) }
  },
})

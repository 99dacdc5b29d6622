import { accountState, getAccount } from '../../../access/accounts.ts'
import { operation } from '../../operation.ts'
import { AccountState, UserPath } from './account-schemas.ts'

export default operation({
  id: 'getAccount',
  method: 'GET',
  path: '/admin/users/:id',
  summary: 'One account',
  description: 'With its plan and suspension.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: AccountState },
  example: {
    user_id: '39c9d7ca-6ea9-41aa-9fbf-f536cf814e7e',
    email: 'customer17@example.com',
    username: 'customer17',
    plan: 'free',
    is_enterprise: false,
    suspended: false,
    suspended_at: null,
    reason: null,
  },
  handle: async ({ db }, request) => accountState(await getAccount(db, request.params.id)),
})

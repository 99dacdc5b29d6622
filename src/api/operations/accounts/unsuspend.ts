import { accountState, unsuspendAccount } from '../../../access/accounts.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { AccountState, UserPath } from './account-schemas.ts'

export default operation({
  id: 'unsuspendAccount',
  method: 'POST',
  path: '/admin/users/:id/unsuspend',
  summary: 'Unsuspend an account',
  description: 'It can log in again. Sessions that were ended stay ended.',
  caller: { role: 'operator' },
  audit: 'act',
  params: UserPath,
  body: noBody,
  reply: { 200: AccountState },
  example: {
    user_id: 'f6a2ae8d-9cd2-4201-956e-c2d9ad7ac849',
    email: 'customer6@example.com',
    username: 'customer6',
    plan: 'free',
    is_enterprise: false,
    suspended: false,
    suspended_at: null,
    reason: null,
  },
  handle: async ({ db }, request, actor) =>
    accountState(await db.transaction((tx) => unsuspendAccount(tx, request.params.id, actor))),
})

import { z } from 'zod'
import { accountState, suspendAccount } from '../../../access/accounts.ts'
import { operation } from '../../operation.ts'
import { AccountState, UserPath } from './account-schemas.ts'

const SuspendBody = z
  .strictObject({ reason: z.string().max(500).optional().describe('Note for operators') })
  .nullish()
  .meta({ examples: [{ reason: 'unpaid' }] })

export default operation({
  id: 'suspendAccount',
  method: 'POST',
  path: '/admin/users/:id/suspend',
  summary: 'Suspend an account and end its sessions',
  description: 'Its keys get a 403 until it is unsuspended.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  params: UserPath,
  body: SuspendBody,
  reply: { 200: AccountState },
  example: {
    user_id: '36e00d7c-a68d-4738-a9a0-897202be4f4d',
    email: 'customer5@example.com',
    username: 'customer5',
    plan: 'free',
    is_enterprise: false,
    suspended: true,
    suspended_at: '2026-11-23T17:06:39.220Z',
    reason: 'unpaid',
  },
  handle: async ({ db }, request, actor) =>
    accountState(await db.transaction((tx) => suspendAccount(tx, request.params.id, request.body?.reason, actor))),
})

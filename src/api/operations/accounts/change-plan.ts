import { z } from 'zod'
import { accountState, changePlan } from '../../../access/accounts.ts'
import { operation } from '../../operation.ts'
import { AccountState, UserPath } from './account-schemas.ts'

export default operation({
  id: 'changePlan',
  method: 'PUT',
  path: '/admin/users/:id/plan',
  summary: 'Change the plan of an account',
  description: 'Takes effect with its next call. Members left out keep their value.',
  caller: { role: 'operator' },
  audit: 'act',
  params: UserPath,
  body: z
    .strictObject({
      plan: z.enum(['free', 'premium']).optional().describe('Decides limits, budgets and quotas'),
      is_enterprise: z.boolean().optional().describe('Entitled to everything'),
    })
    .meta({ examples: [{ plan: 'premium' }] }),
  reply: { 200: AccountState },
  example: {
    user_id: '76b068a4-7b08-4d26-b08f-81297441e755',
    email: 'customer16@example.com',
    username: 'customer16',
    plan: 'premium',
    is_enterprise: false,
    suspended: false,
    suspended_at: null,
    reason: null,
  },
  handle: async ({ db }, request, actor) => {
    const { plan, is_enterprise: isEnterprise } = request.body
    const { id } = request.params
    return accountState(await db.transaction((tx) => changePlan(tx, id, { plan, isEnterprise }, actor)))
  },
})

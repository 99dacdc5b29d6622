import { accountUsage } from '../../../access/account-usage.ts'
import { getAccount } from '../../../access/accounts.ts'
import { operation } from '../../operation.ts'
import { shownUsage, Usage, UsageQuery } from '../profile/usage-schemas.ts'
import { UserPath } from './account-schemas.ts'
import example from './get-usage.example.json' with { type: 'json' }

export default operation({
  id: 'getAccountUsage',
  method: 'GET',
  path: '/admin/users/:id/usage',
  summary: 'Usage of an account, day by day',
  description: 'Calls, feed records, orders and bytes, with the limits of its plan. Kept for 90 days.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  query: UsageQuery,
  reply: { 200: Usage },
  example,
  handle: async ({ db }, { params: { id }, query }) => {
    const { accountId } = await getAccount(db, id)
    return shownUsage(accountId, await accountUsage(db, accountId, query.days))
  },
})

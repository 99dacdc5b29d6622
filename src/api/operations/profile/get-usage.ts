import { accountUsage } from '../../../access/account-usage.ts'
import { operation } from '../../operation.ts'
import example from './get-usage.example.json' with { type: 'json' }
import { shownUsage, Usage, UsageQuery } from './usage-schemas.ts'

export default operation({
  id: 'getUsage',
  method: 'GET',
  path: '/api/users/me/usage',
  summary: 'Get your usage, day by day',
  description: 'Calls, feed records, orders and bytes, with the limits of your plan. Kept for 90 days.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: UsageQuery,
  reply: { 200: Usage },
  example,
  handle: async ({ db }, request, { accountId }) => {
    return shownUsage(accountId, await accountUsage(db, accountId, request.query.days))
  },
})

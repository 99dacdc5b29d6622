/** GET /admin/users/{id}/usage: what an account uses of what it may. */
import { accountUsage } from '../../access/account-usage.ts'
import { getAccount } from '../../access/accounts.ts'
import type { Routes } from '../route-context.ts'
import { admin, UserPath } from './admin.ts'
import { shownUsage, Usage, UsageQuery } from './usage-schemas.ts'

export const adminUsageRoutes: Routes = async (app, { db }) => {
  app.get(
    '/admin/users/:id/usage',
    {
      schema: {
        operationId: 'getAccountUsage',
        ...admin,
        summary: 'What an account used, day by day',
        description: 'Calls, records of the feeds, orders and bytes, with the limits of its plan. Kept for 90 days.',
        params: UserPath,
        querystring: UsageQuery,
        response: { 200: Usage },
      },
    },
    async ({ params: { id }, query }) => {
      const { accountId } = await getAccount(db, id)
      return shownUsage(accountId, await accountUsage(db, accountId, query.days))
    },
  )
}

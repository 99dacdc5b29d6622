/** GET /admin/users/{id}/usage: what an account uses of what it may. */
import { z } from 'zod'
import { accountUsage } from '../../access/account-usage.ts'
import { getAccount } from '../../access/accounts.ts'
import { day, uuid } from '../formats.ts'
import type { Routes } from '../route-context.ts'
import { admin, UserPath } from './admin.ts'

const Usage = z
  .object({
    user_id: uuid('Of the account'),
    limits: z
      .record(z.string(), z.number().nullable())
      .describe('Per UTC day, as they hold now; null: no limit')
      .meta({ examples: [{ search: 100, details: 100, feed_records: 1000 }] }),
    days: z
      .array(
        z
          .object({
            day: day('UTC day'),
            used: z.record(z.string(), z.number()).describe('By kind; what was not used is left out'),
          })
          .meta({ id: 'UsedOnDay' }),
      )
      .describe('The newest first, today always; other days without use are left out'),
  })
  .meta({ id: 'AccountUsage' })

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
        querystring: z.object({
          days: z.coerce.number().int().min(1).max(90).default(30).describe('How many, today among them'),
        }),
        response: { 200: Usage },
      },
    },
    async ({ params: { id }, query }) => {
      const { accountId } = await getAccount(db, id)
      const { days, limits } = await accountUsage(db, accountId, query.days)
      return {
        user_id: accountId,
        limits: { ...limits },
        days: days.map((each) => ({ ...each, used: { ...each.used } })),
      }
    },
  )
}

import { z } from 'zod'
import { detailUsage } from '../../access/admission.ts'
import { principalOf, type Routes } from '../route-context.ts'

const UserProfile = z.object({
  user_id: z.string(),
  email: z.string(),
  username: z.string(),
  api_usage: z.object({ detail_requests_today: z.number(), detail_daily_limit: z.number() }),
})

export const userRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/users/me',
    { schema: { tags: ['Account'], summary: 'Your profile and use of today', response: { 200: UserProfile } } },
    async (request) => {
      const principal = principalOf(request)
      const { used, limit } = await detailUsage(db, principal)
      return {
        user_id: principal.accountId,
        email: principal.email,
        username: principal.username,
        api_usage: { detail_requests_today: used, detail_daily_limit: limit },
      }
    },
  )
}

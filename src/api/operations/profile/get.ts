import { z } from 'zod'
import { detailUsage } from '../../../access/admission.ts'
import { creditBalance } from '../../../orders/ledger.ts'
import { owedBy } from '../../../orders/receivables.ts'
import { email, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

const UserProfile = z
  .object({
    user_id: uuid('ID of the account'),
    email: email('E-mail address of the account'),
    username: z.string(),
    credit_balance: z.number().describe('Credits of all types that can be spent now'),
    owed: z.number().describe('What the account owes after chargebacks, in paise'),
    api_usage: z.object({ detail_requests_today: z.number(), detail_daily_limit: z.number() }),
  })
  .meta({ id: 'Profile' })

export default operation({
  id: 'getProfile',
  method: 'GET',
  path: '/api/users/me',
  summary: "Get your profile and today's usage",
  description: 'The usage is that of the details limit, which resets at midnight UTC.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: UserProfile },
  example: {
    user_id: '10737f23-ebe5-4ffe-88ad-1f5c44162bd8',
    email: 'customer1@example.com',
    username: 'customer1',
    credit_balance: 2000,
    owed: 0,
    api_usage: {
      detail_requests_today: 0,
      detail_daily_limit: 1000,
    },
  },
  handle: async ({ db }, _request, principal) => {
    const { used, limit } = await detailUsage(db, principal)
    return {
      user_id: principal.accountId,
      email: principal.email,
      username: principal.username,
      credit_balance: await creditBalance(db, principal.accountId),
      owed: await owedBy(db, principal.accountId),
      api_usage: { detail_requests_today: used, detail_daily_limit: limit },
    }
  },
})

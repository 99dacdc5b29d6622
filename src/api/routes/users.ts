import { z } from 'zod'
import { detailUsage } from '../../access/admission.ts'
import { eraseAccount, erasedKinds } from '../../access/erase-account.ts'
import { email, timestamp, uuid } from '../formats.ts'
import { principalOf, type Routes } from '../route-context.ts'

const UserProfile = z
  .object({
    user_id: uuid('Of the account'),
    email: email('Of the account'),
    username: z.string(),
    api_usage: z.object({ detail_requests_today: z.number(), detail_daily_limit: z.number() }),
  })
  .meta({ id: 'Profile' })

const erasedCounts = z.object(Object.fromEntries(erasedKinds.map((kind) => [kind, z.number()])))
const ErasureReceipt = z
  .object({
    success: z.literal(true),
    receipt_id: uuid('Also in the audit log of the operator'),
    user_id: uuid('Of the account'),
    erased_at: timestamp(),
    erased: erasedCounts.describe('What is gone, by number'),
    kept: z
      .object({ orders: z.number(), ledger_entries: z.number(), reason: z.string() })
      .describe('What the books keep, without the person'),
  })
  .meta({ id: 'ErasureReceipt' })

export const userRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/users/me',
    {
      schema: {
        operationId: 'getProfile',
        tags: ['Account'],
        summary: 'Your profile and use of today',
        description: 'The use is that of the details limit, which starts anew at midnight UTC.',
        response: { 200: UserProfile },
      },
    },
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

  app.delete(
    '/api/users/me/account',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'eraseAccount',
        tags: ['Account'],
        summary: 'Erase your account, at once and for good',
        description:
          'Keys, sessions, screeners, watchlists, destinations, leads and remaining credits are lost. Records that were ' +
          'delivered into your CRM stay in your CRM.',
        response: { 200: ErasureReceipt },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { receiptId, erasedAt, erased, kept } = await db.transaction((tx) => eraseAccount(tx, accountId))
      const reason = 'Accounts of credits are only ever added to; they name no person any more.'
      return {
        success: true as const,
        receipt_id: receiptId,
        user_id: accountId,
        erased_at: erasedAt.toISOString(),
        erased,
        kept: { orders: kept.orders, ledger_entries: kept.ledgerEntries, reason },
      }
    },
  )
}

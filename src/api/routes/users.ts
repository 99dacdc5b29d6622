import { z } from 'zod'
import { accountUsage } from '../../access/account-usage.ts'
import { detailUsage } from '../../access/admission.ts'
import { readExcludesPreferences, setExcludesPreferences } from '../../access/contact-rules.ts'
import { eraseAccount, erasedKinds } from '../../access/erase-account.ts'
import { requireFreshLogin } from '../../access/manage-sessions.ts'
import { keyScopes } from '../../domain/key-scope.ts'
import { AppError } from '../../errors.ts'
import { creditBalance } from '../../orders/ledger.ts'
import { email, timestamp, uuid } from '../formats.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { shownUsage, Usage, UsageQuery } from './usage-schemas.ts'

const UserProfile = z
  .object({
    user_id: uuid('Of the account'),
    email: email('Of the account'),
    username: z.string(),
    credit_balance: z.number().describe('Credits that can be spent now, of all types'),
    api_usage: z.object({ detail_requests_today: z.number(), detail_daily_limit: z.number() }),
  })
  .meta({ id: 'Profile' })

const ContactRules = z
  .strictObject({
    exclude_do_not_contact: z.boolean().describe('Leave out contacts whose owner asked not to be contacted'),
  })
  .meta({ examples: [{ exclude_do_not_contact: true }] })

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

/** Optional as a whole, so that a call without one is told what to send. */
const ErasureBody = z
  .strictObject({ confirm: z.string().max(320).optional().describe('The e-mail of the account') })
  .nullish()
  .meta({ examples: [{ confirm: 'you@example.com' }] })

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
        credit_balance: await creditBalance(db, principal.accountId),
        api_usage: { detail_requests_today: used, detail_daily_limit: limit },
      }
    },
  )

  app.get(
    '/api/users/me/usage',
    {
      schema: {
        operationId: 'getUsage',
        tags: ['Account'],
        summary: 'What you used, day by day',
        description: 'Calls, records of the feeds, orders and bytes, with the limits of your plan. Kept for 90 days.',
        querystring: UsageQuery,
        response: { 200: Usage },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      return shownUsage(accountId, await accountUsage(db, accountId, request.query.days))
    },
  )

  app.get(
    '/api/users/me/contact-rules',
    {
      schema: {
        operationId: 'getContactRules',
        tags: ['Account'],
        summary: 'Which contacts your quotes and orders leave out',
        description: 'Quotes, orders, reclaims and the leads that are built go by them.',
        response: { 200: ContactRules },
      },
    },
    async (request) => ({
      exclude_do_not_contact: await readExcludesPreferences(db, principalOf(request).accountId),
    }),
  )

  app.put(
    '/api/users/me/contact-rules',
    {
      config: { scopes: ['order'] },
      schema: {
        operationId: 'setContactRules',
        tags: ['Account'],
        summary: 'Choose which contacts your quotes and orders leave out',
        description:
          'With `exclude_do_not_contact` an address or number whose owner asked not to be contacted is no contact for you: ' +
          'it is in no lead, and a record without another costs nothing. Leads that were built stay as they are.',
        body: ContactRules,
        response: { 200: ContactRules },
      },
    },
    async (request) => {
      const { exclude_do_not_contact } = request.body
      await setExcludesPreferences(db, principalOf(request).accountId, exclude_do_not_contact)
      return { exclude_do_not_contact }
    },
  )

  app.delete(
    '/api/users/me/account',
    {
      config: { scopes: keyScopes, errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'FRESH_LOGIN_REQUIRED'] },
      schema: {
        operationId: 'eraseAccount',
        tags: ['Account'],
        summary: 'Erase your account, at once and for good',
        description:
          'Keys, sessions, screeners, watchlists, destinations, leads and remaining credits are lost. Records that were ' +
          'delivered into your CRM stay in your CRM. Asks for a login of the last five minutes, with a key that has every ' +
          'scope, and for the e-mail of the account as confirmation.',
        body: ErasureBody,
        response: { 200: ErasureReceipt },
      },
    },
    async (request) => {
      const { accountId, sessionId, email } = principalOf(request)
      if (request.body?.confirm?.trim().toLowerCase() !== email.toLowerCase()) {
        throw new AppError(
          'CONFIRMATION_REQUIRED',
          'Erasing the account cannot be taken back. Send {"confirm": "<e-mail of the account>"} as JSON body, with an ' +
            'access token whose login is at most five minutes old.',
        )
      }
      await requireFreshLogin(db, sessionId)
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

import { z } from 'zod'
import { eraseAccount, erasedKinds } from '../../../access/erase-account.ts'
import { requireFreshLogin } from '../../../access/manage-sessions.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { AppError } from '../../../errors.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import example from './erase.example.json' with { type: 'json' }

const erasedCounts = z.object(Object.fromEntries(erasedKinds.map((kind) => [kind, z.number()])))
const ErasureReceipt = z
  .object({
    success: z.literal(true),
    receipt_id: uuid('Also in the audit log of the operator'),
    user_id: uuid('Of the account'),
    erased_at: timestamp(),
    erased: erasedCounts.describe('What is gone, by number'),
    kept: z
      .object({
        ...{ orders: z.number(), ledger_entries: z.number() },
        invoices: z.number().describe('Invoices and credit notes, which name whom they were issued to'),
        reason: z.string(),
      })
      .describe('What is kept: of the ledger without the person, and documents of tax as they were issued'),
  })
  .meta({ id: 'ErasureReceipt' })
/** Optional as a whole, so that a call without one is told what to send. */
const ErasureBody = z
  .strictObject({ confirm: z.string().max(320).optional().describe('The e-mail of the account') })
  .nullish()
  .meta({ examples: [{ confirm: 'you@example.com' }] })

export default operation({
  id: 'eraseAccount',
  method: 'DELETE',
  path: '/api/users/me/account',
  tag: 'Account',
  summary: 'Erase your account, at once and for good',
  description:
    'Keys, sessions, screeners, watchlists, destinations, leads and remaining credits are lost. Records that were ' +
    'delivered into your CRM stay in your CRM, and invoices and credit notes with whoever sold to you. Asks for a login of the last five minutes, with a key that has every ' +
    'scope, and for the e-mail of the account as confirmation.',
  caller: { scopes: keyScopes },
  audit: 'act',
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'FRESH_LOGIN_REQUIRED'],
  body: ErasureBody,
  reply: { 200: ErasureReceipt },
  example,
  handle:
    ({ db }) =>
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
      const documents = 'Invoices and credit notes stay as they were issued, as the law asks.'
      const reason = `Accounts of credits are only ever added to; they name no person any more.${kept.invoices > 0 ? ` ${documents}` : ''}`
      return {
        success: true as const,
        receipt_id: receiptId,
        user_id: accountId,
        erased_at: erasedAt.toISOString(),
        erased,
        kept: { orders: kept.orders, ledger_entries: kept.ledgerEntries, invoices: kept.invoices, reason },
      }
    },
})

import { z } from 'zod'
import { eraseAccount, erasedKinds } from '../../../access/erase-account.ts'
import { requireFreshLogin } from '../../../access/manage-sessions.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { AppError } from '../../../errors.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import example from './erase.example.json' with { type: 'json' }

const erasedCounts = z.object(Object.fromEntries(erasedKinds.map((kind) => [kind, z.number()])))
const ErasureReceipt = z
  .object({
    success: z.literal(true),
    receipt_id: uuid("Also in the operator's audit log"),
    user_id: uuid('ID of the account'),
    erased_at: timestamp(),
    erased: erasedCounts.describe('Counts of what was erased'),
    kept: z
      .object({
        ...{ orders: z.number(), ledger_entries: z.number() },
        invoices: z.number().describe('Invoices and credit notes, which name whom they were issued to'),
        reason: z.string(),
      })
      .describe('What is retained: the ledger without the person, and tax documents as issued'),
  })
  .meta({ id: 'ErasureReceipt' })
/** Optional as a whole, so that the error for a call without a body says what to send. */
const ErasureBody = z
  .strictObject({ confirm: z.string().max(320).optional().describe('The e-mail address of the account') })
  .nullish()
  .meta({ examples: [{ confirm: 'you@example.com' }] })

export default operation({
  id: 'eraseAccount',
  method: 'DELETE',
  path: '/api/users/me/account',
  summary: 'Erase your account permanently',
  description:
    'Takes effect at once. Keys, sessions, screeners, watchlists, destinations, leads and remaining credits are lost. Records that were ' +
    'delivered to your CRM stay there, and invoices and credit notes stay with the seller. Requires a login of the last five minutes with a key that has every ' +
    "scope and that the account has had for a day, and the account's e-mail address as confirmation.",
  caller: { scopes: keyScopes },
  audit: 'act',
  errors: ['NOT_FOUND', 'CONFIRMATION_REQUIRED', 'FRESH_LOGIN_REQUIRED'],
  body: ErasureBody,
  reply: { 200: ErasureReceipt },
  example,
  handle: async ({ db }, request, { accountId, sessionId, email }) => {
    if (request.body?.confirm?.trim().toLowerCase() !== email.toLowerCase()) {
      throw new AppError(
        'CONFIRMATION_REQUIRED',
        'Erasing the account cannot be undone. Send {"confirm": "<e-mail of the account>"} as JSON body, with an ' +
          'access token whose login is at most five minutes old.',
      )
    }
    await requireFreshLogin(db, sessionId)
    const { receiptId, erasedAt, erased, kept } = await db.transaction((tx) => eraseAccount(tx, accountId))
    const documents = 'Invoices and credit notes are kept as issued, as the law requires.'
    const reason = `The credit ledger is append-only; it no longer names a person.${kept.invoices > 0 ? ` ${documents}` : ''}`
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

/** /admin/ledger: the books as operators read them; and an operator's hand on the credits of an account. */
import { z } from 'zod'
import { getAccount } from '../../access/accounts.ts'
import { endOfIndianDay } from '../../domain/iso-date.ts'
import { adjustCredits } from '../../orders/adjust-credits.ts'
import { creditTypes } from '../../orders/ledger.ts'
import { bookAccounts, countBookTransfers, listTransfers } from '../../orders/ledger-books.ts'
import { lastProof } from '../../orders/ledger-check.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { calendarDay, idText, paging, reasonText, referenceText, textFilter } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin, UserPath } from './admin.ts'

const currency = z.enum(['credits', 'paise'])
const number = z.number().nullable()
const text = z.string().nullable()
const Transfer = z
  .object({
    transfer_id: z.number(),
    at: timestamp(),
    kind: z.string(),
    currency,
    from: z.string(),
    to: z.string(),
    amount: z.number(),
    user_id: uuid('Whose credits move, or whose money it was').nullable(),
    credit_type: z.enum(creditTypes).nullable(),
    balance_after: number,
    reference: z.string(),
    order_id: uuid('Of the order').nullable(),
    item_id: uuid('Of the item that was refunded').nullable(),
    reverses: number,
    set_id: number,
    actor: z.string(),
    memo: text,
  })
  .meta({ id: 'LedgerTransfer' })
const Books = z.object({
  data: z.array(Transfer),
  total: z.number(),
  page: z.number(),
  limit: z.number(),
  accounts: z.array(
    z.object({ account: z.string(), currency, balance: z.number(), customers: number }).meta({ id: 'LedgerAccount' }),
  ),
  proof: z
    .object({
      proved_at: timestamp(),
      transfers: z.number(),
      violations: z.array(
        z.object({ invariant: z.string(), subject: z.string(), detail: z.string() }).meta({ id: 'LedgerViolation' }),
      ),
    })
    .meta({ id: 'LedgerProof' })
    .nullable()
    .describe('What the last nightly proof found'),
})
const AdjustBody = z
  .strictObject({
    credits: z.number().int().min(-1_000_000_000).max(1_000_000_000).describe('Minus takes away'),
    reference: referenceText('Moving credits twice under one reference moves them once'),
    reason: reasonText('Why; the account sees it'),
    type: z.enum(creditTypes).optional().describe('Of the credits; granted unless told'),
    expires: calendarDay.optional().describe('Last day on which they can be spent, in India'),
  })
  .refine(({ credits }) => credits !== 0, { error: 'must not be 0', path: ['credits'] })
  .meta({ examples: [{ credits: 50, reference: 'invoice-2026-17', reason: 'Diwali offer', type: 'granted' }] })
const Adjusted = z
  .object({ applied: z.boolean().describe('False where it was done before'), credit_balance: z.number() })
  .meta({ id: 'AdjustedCredits' })

export const adminLedgerRoutes: Routes = async (app, { db }) => {
  app.get(
    '/admin/ledger',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'listLedger',
        ...admin,
        summary: 'The books: transfers, the newest first',
        description: 'With both accounts of each, the balances of all accounts, and the last proof.',
        querystring: z.object({
          user_id: idText('Only of this account')
            .optional()
            .meta({ examples: [exampleIds.account] }),
          kind: textFilter('Kind of transfer, for example spend').meta({ examples: ['spend'] }),
          search: textFilter('Number or reference of a transfer, or the id of an order or item').meta({
            examples: [exampleIds.order],
          }),
          from: calendarDay.optional().describe('First day, in India'),
          to: calendarDay.optional().describe('Last day, in India'),
          ...paging(100),
        }),
        response: { 200: Books },
      },
    },
    async ({ query: { user_id: userId, kind, search, from, to, page, limit } }) => {
      const filter = { userId, kind, search, from, to }
      const [rows, total, accounts, proof] = await Promise.all([
        listTransfers(db, filter, limit, (page - 1) * limit),
        countBookTransfers(db, filter),
        bookAccounts(db),
        lastProof(db),
      ])
      return {
        data: rows.map((row) => ({ ...row, at: row.at.toISOString() })) as z.output<typeof Transfer>[],
        total,
        page,
        limit,
        accounts,
        proof: proof
          ? {
              proved_at: proof.provedAt.toISOString(),
              transfers: proof.transfers,
              violations: proof.violations.map((violation) => ({ ...violation })),
            }
          : null,
      }
    },
  )

  app.post(
    '/admin/users/:id/credits',
    {
      config: { errors: ['INSUFFICIENT_CREDITS', 'CONFLICT', 'UNPROCESSABLE'] },
      schema: {
        operationId: 'adjustCredits',
        ...admin,
        summary: 'Add credits to an account, or take some back',
        description: 'Once per reference. Who and why stand in the ledger.',
        params: UserPath,
        body: AdjustBody,
        response: { 200: Adjusted },
      },
    },
    async (request) => {
      const { credits, reference, reason, type, expires } = request.body
      const moved = await db.transaction(async (tx) => {
        const { accountId } = await getAccount(tx, request.params.id)
        const endsAt = expires === undefined ? null : endOfIndianDay(expires)
        const actor = operatorOf(request)
        return adjustCredits(tx, accountId, { credits, reference, reason, type, endsAt, actor })
      })
      return { applied: moved.applied, credit_balance: moved.balance }
    },
  )
}

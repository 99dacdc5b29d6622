import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { creditTypes } from '../../../orders/ledger.ts'
import {
  bookAccounts,
  countBookTransfers,
  isOfOneAccount,
  listTransfers,
  transferSorts,
} from '../../../orders/ledger-accounts.ts'
import { lastProof } from '../../../orders/ledger-check.ts'
import { exampleIds } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { calendarDay, growing, idText, inOrder, paging, sorting, textFilter } from '../../parameters.ts'
import example from './list.example.json' with { type: 'json' }

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
    order_id: uuid('ID of the order').nullable(),
    item_id: uuid('ID of the item that was refunded').nullable(),
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
    .describe('Result of the last nightly verification'),
})

export default operation({
  id: 'listLedger',
  method: 'GET',
  path: '/admin/ledger',
  summary: 'List the transfers of the ledger',
  description:
    'With both accounts of each, the balances of all accounts, and the last verification. Newest first unless sorted; the transfers of one account can also be sorted by kind and amount.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['UNPROCESSABLE'],
  query: z
    .object({
      user_id: idText('Only transfers of this account')
        .optional()
        .meta({ examples: [exampleIds.account] }),
      kind: textFilter('Kind of transfer, for example spend').meta({ examples: ['spend'] }),
      search: textFilter('Number or reference of a transfer, or the ID of an order or item').meta({
        examples: [exampleIds.order],
      }),
      from: calendarDay.optional().describe('First day, in India'),
      to: calendarDay.optional().describe('Last day, in India'),
      ...sorting(transferSorts),
      ...paging(100),
      ...growing,
    })
    .refine(...inOrder),
  reply: { 200: Books },
  example,
  handle: async ({ db }, { query: { user_id: userId, kind, search, from, to, until, page, limit, sort } }) => {
    if (isOfOneAccount(sort) && userId === undefined) {
      throw new AppError('UNPROCESSABLE', `sort=${sort} is for the transfers of one account; also send user_id.`, {
        extra: { parameter: 'sort' },
      })
    }
    const filter = { userId, kind, search, from, to, until }
    const [rows, total, accounts, proof] = await Promise.all([
      listTransfers(db, filter, limit, { offset: (page - 1) * limit, sort }),
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
      proof: proof ? { ...proof, proved_at: proof.provedAt.toISOString() } : null,
    }
  },
})

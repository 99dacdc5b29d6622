/** /api/credits: how the credits of an account came and went. */
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { guarded } from '../../domain/formula-guard.ts'
import { type CreditEntry, creditKinds, listCreditEntries } from '../../orders/credit-entries.ts'
import { listCreditLots } from '../../orders/credit-lots.ts'
import { creditTypes } from '../../orders/ledger.ts'
import { timestamp, uuid } from '../formats.ts'
import { calendarDay } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'

const Entry = z
  .object({
    entry_id: z.number(),
    at: timestamp(),
    kind: z.enum(creditKinds),
    credit_type: z.enum(creditTypes),
    amount: z.number().describe('Plus raises the balance'),
    balance_after: z.number().describe('Of all credits of the account'),
    reference: z.string().describe('Each movement happens once under its reference'),
    order_id: uuid('Of the order that was paid for').nullable(),
    memo: z.string().nullable(),
  })
  .meta({ id: 'CreditEntry' })
const Lot = z
  .object({
    credit_type: z.enum(creditTypes),
    left: z.number().describe('That can be spent now'),
    total: z.number().describe('That were put in'),
    ends_at: timestamp('from which what is left is gone').nullable().describe('Null: no end'),
  })
  .meta({ id: 'CreditLot' })
const Page = z.object({ data: z.array(Entry), total: z.number(), page: z.number(), limit: z.number() })
const columns = Object.keys(Entry.shape) as (keyof CreditEntry)[]

export const creditRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/credits/lots',
    {
      schema: {
        operationId: 'listCreditLots',
        tags: ['Account'],
        summary: 'Your credits, by when they end',
        description: 'In the order in which they are spent: those that end first, first; 1,000 lots at most.',
        response: { 200: z.object({ data: z.array(Lot) }) },
      },
    },
    async (request) => {
      const lots = await listCreditLots(db, principalOf(request).accountId)
      return {
        data: lots.map(({ type: credit_type, left, total, endsAt }) => ({
          ...{ credit_type, left, total, ends_at: endsAt?.toISOString() ?? null },
        })),
      }
    },
  )

  app.get(
    '/api/credits/ledger',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'listCreditEntries',
        tags: ['Account'],
        summary: 'How your credits came and went',
        description: 'Every movement with the balance after it, the newest first; as JSON or as a CSV file.',
        querystring: z.object({
          kind: z.enum(creditKinds).optional().describe('Only movements of this kind'),
          from: calendarDay.optional().describe('First day, in India'),
          to: calendarDay.optional().describe('Last day, in India'),
          page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Number of the page, from 1'),
          limit: z.coerce.number().int().min(1).max(1_000).default(10).describe('Entries per page'),
          format: z.enum(['json', 'csv']).default('json').describe('json: a page; csv: the same page as a file'),
        }),
        response: {
          200: {
            description: 'The entries, or the CSV file',
            content: { 'application/json': { schema: Page }, 'text/csv': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { page, limit, format } = request.query
      const { entries, total } = await listCreditEntries(db, principalOf(request).accountId, request.query)
      const data = entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
      if (format === 'json') return { data, total, page, limit }
      const cells = data.map((entry) =>
        columns.map((name) => (typeof entry[name] === 'string' ? guarded(entry[name]) : entry[name])),
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="credits.csv"')
        .send(stringify([columns, ...cells], { record_delimiter: 'windows' }))
    },
  )
}

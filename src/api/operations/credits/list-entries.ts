import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { guarded } from '../../../domain/formula-guard.ts'
import { indianDayOf } from '../../../domain/iso-date.ts'
import { type CreditEntry, creditKinds, creditSorts, listCreditEntries } from '../../../orders/credit-entries.ts'
import { creditTypes } from '../../../orders/ledger.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { calendarDay, growing, inOrder, pageOf, sorting } from '../../parameters.ts'
import example from './list-entries.example.json' with { type: 'json' }

const Entry = z
  .object({
    entry_id: z.number(),
    at: timestamp(),
    kind: z.enum(creditKinds),
    credit_type: z.enum(creditTypes),
    amount: z.number().describe('Positive raises the balance'),
    balance_after: z.number().describe('All credits of the account'),
    reference: z.string().describe('Each movement happens once per reference'),
    order_id: uuid('ID of the order that was paid for').nullable(),
    memo: z.string().nullable(),
  })
  .meta({ id: 'CreditEntry' })
const Page = pageOf(Entry)
/** A file also has the day in India, so that it can be filtered by day. */
const columns = Object.keys(Entry.shape).flatMap((name) => (name === 'at' ? ['date', 'at'] : [name])) as (
  | keyof CreditEntry
  | 'date'
)[]

export default operation({
  id: 'listCreditEntries',
  method: 'GET',
  path: '/api/credits/ledger',
  summary: 'List the movements of your credits',
  description: 'Every movement with the balance after it, newest first unless sorted; as JSON or as a CSV file.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  errors: ['UNPROCESSABLE'],
  query: z
    .object({
      kind: z.enum(creditKinds).optional().describe('Only movements of this kind'),
      from: calendarDay.optional().describe('First day, in India'),
      to: calendarDay.optional().describe('Last day, in India'),
      ...sorting(creditSorts),
      ...growing,
      page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, from 1'),
      limit: z.coerce.number().int().min(1).max(1_000).default(10).describe('Entries per page'),
      format: z.enum(['json', 'csv']).default('json').describe('json: a page; csv: the same page as a file'),
    })
    .refine(...inOrder),
  reply: {
    200: {
      description: 'The entries, or the CSV file',
      content: { 'application/json': { schema: Page }, 'text/csv': { schema: z.string() } },
    },
  },
  example,
  handle: async ({ db }, request, { accountId }, reply) => {
    const { page, limit, format } = request.query
    const { entries, total } = await listCreditEntries(db, accountId, request.query)
    const data = entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }))
    if (format === 'json') return { data, total, page, limit }
    const cells = entries.map(({ at, ...entry }) => {
      const row = { ...entry, date: indianDayOf(at), at: at.toISOString() }
      return columns.map((name) => (typeof row[name] === 'string' ? guarded(row[name]) : row[name]))
    })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="credits.csv"')
      .send(stringify([columns, ...cells], { record_delimiter: 'windows' }))
  },
})

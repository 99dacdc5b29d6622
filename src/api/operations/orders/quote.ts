import { z } from 'zod'
import { contactColumns, leadColumns } from '../../../../config/lead-columns.ts'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { type EntityType, entityTypes } from '../../../domain/identity.ts'
import { AppError } from '../../../errors.ts'
import { orderItemsMax, readOrderItems } from '../../../orders/order-items.ts'
import type { PaymentProcessor } from '../../../orders/payments/processor.ts'
import { quoteOrder } from '../../../orders/quote-order.ts'
import { splitTax } from '../../../orders/tax.ts'
import { identifierOf } from '../../../registry/hits.ts'
import { runScreener } from '../../../registry/screener/run-screener.ts'
import { exactCountsMax, shownCount } from '../../../registry/screener/shown-counts.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { plainText, recordNameMax } from '../../parameters.ts'
import { shownMembers } from '../details/shown-members.ts'
import { Query, Type } from '../screener/screener-schemas.ts'
import { QuoteAnswer } from './life-schemas.ts'
import { excludeInactive } from './order-schemas.ts'
import example from './quote.example.json' with { type: 'json' }

const QuoteBody = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          type: z.enum(entityTypes).describe('What would be ordered'),
          number: plainText(40).min(1).describe('CIN or LLPIN, DIN, or GSTIN'),
          name: plainText(recordNameMax).optional().describe('As in an order; optional here'),
        }),
      )
      .min(1)
      .max(orderItemsMax)
      .optional()
      .describe('Either items, or query and type'),
    query: Query.optional(),
    type: Type.optional(),
    exclude_inactive: excludeInactive,
    limit: z
      .int()
      .min(1)
      .max(orderItemsMax)
      .optional()
      .describe('For a query: how many of its records, in their order'),
  })
  .refine(({ items, query, type }) => (items === undefined) === (query !== undefined && type !== undefined), {
    error: 'must hold either items, or query and type',
  })
  .meta({ examples: [{ items: [{ type: 'gst', number: exampleRecords.gstin }] }] })

/** Contact columns that a paid lead has and details do not show. */
const addedColumns = (type: EntityType, showsCompanyEmail: boolean): string[] =>
  leadColumns[type]
    .map(({ name }) => name)
    .filter((name) => contactColumns.has(name) && !(type === 'company' && name === 'Email' && showsCompanyEmail))

/** As the order would request it from the processor. */
function onlinePrice(processor: PaymentProcessor | undefined, credits: number) {
  if (processor?.seller === undefined) return null
  const amount = credits * processor.creditPaise
  return { amount, ...splitTax(amount), currency: 'INR' as const }
}

export default operation({
  id: 'quoteOrder',
  method: 'POST',
  path: '/api/orders/quote',
  summary: 'Quote an order',
  description:
    'For items, or for the records that a screener query finds: per type how many exist, are inactive, are reachable, are already ' +
    'owned, and what they would cost, in credits and, where online payment is available, in rupees; with `exclude_inactive` without the inactive ones. `adds` names the contact columns that a credit ' +
    'adds to what details show. Where a search rounds its total, counts above 100 of its records are rounded up the same way. ' +
    'Names no one, orders nothing, and uses a daily budget per item.',
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...expensiveErrors],
  body: QuoteBody,
  reply: { 200: QuoteAnswer },
  example,
  handle: async ({ db, expensiveReads, settings }, request, principal) => {
    const { showsCompanyEmail } = shownMembers(principal, settings)
    const quoted = async (named: Parameters<typeof quoteOrder>[2], shown?: (count: number) => number) => {
      const quote = await quoteOrder(db, principal.accountId, named, { excludesInactive, ...(shown && { shown }) })
      const types = quote.types.map((of) => ({ ...of, adds: addedColumns(of.type, showsCompanyEmail) }))
      return { ...quote, types, online_price: onlinePrice(settings.payments, quote.credits_held) }
    }
    const { items, query, type, limit = 100, exclude_inactive: excludesInactive } = request.body
    if (items !== undefined) {
      const named = readOrderItems(items.map(({ type: of, number }) => ({ type: of, name: number, number })))
      return { ...(await quoted(named)), found: null }
    }
    if (query === undefined || type === undefined) throw new AppError('BAD_REQUEST', 'Send items, or query and type.')
    const sold = await soldRegistrations(db, principal, type)
    const hits = await expensiveReads.run(request, (expensiveDb, timeoutMs) =>
      runScreener(accountDb(expensiveDb), { query, type, page: 1, limit, sold, timeoutMs }),
    )
    const named = hits.results.map((hit) => ({ type, identifier: identifierOf(hit) }))
    const counts = named.length > exactCountsMax ? hits.countsShown : 'exact'
    return { ...(await quoted(named, (count) => shownCount(counts, count))), found: hits.total }
  },
})

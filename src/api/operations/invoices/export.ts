import { Readable } from 'node:stream'
import { z } from 'zod'
import { type FoundInvoice, invoicePages } from '../../../orders/invoices/find-invoices.ts'
import { invoicesCsv } from '../../../orders/invoices/invoices-csv.ts'
import { operation } from '../../operation.ts'
import { IssuedInvoice, invoiceFilter, issued } from './invoice-schemas.ts'

export default operation({
  id: 'exportInvoices',
  method: 'GET',
  path: '/admin/invoices/export',
  summary: 'Export all invoices and credit notes',
  description: 'By number: a CSV file with amounts in rupees, or JSON records with amounts in paise.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['UNPROCESSABLE'],
  query: z.object({
    ...invoiceFilter,
    format: z
      .enum(['csv', 'json'])
      .default('csv')
      .describe('Format of the file')
      .meta({ examples: ['json'] }),
  }),
  reply: {
    200: {
      description: 'The file',
      content: { 'text/csv': { schema: z.string() }, 'application/json': { schema: z.array(IssuedInvoice) } },
    },
  },
  example: null,
  handle: async ({ db }, { query: { format, ...filter } }, _caller, reply) => {
    const pages = invoicePages(db, filter)
    if (format === 'json') return reply.type('application/json; charset=utf-8').send(Readable.from(jsonOf(pages)))
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="invoices${filter.month ? `-${filter.month}` : ''}.csv"`)
      .send(Readable.from(invoicesCsv(pages)))
  },
})

async function* jsonOf(pages: AsyncIterable<readonly FoundInvoice[]>): AsyncGenerator<string> {
  let before = '['
  for await (const page of pages) {
    yield `${before}${page.map((invoice) => JSON.stringify(issued(invoice))).join(',')}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

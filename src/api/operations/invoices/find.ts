import { z } from 'zod'
import { findInvoices } from '../../../orders/invoices/find-invoices.ts'
import { invoiceSorts } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, sorting } from '../../parameters.ts'
import example from './get.example.json' with { type: 'json' }
import { IssuedInvoice, invoiceFilter, issued } from './invoice-schemas.ts'

export default operation({
  id: 'findInvoices',
  method: 'GET',
  path: '/admin/invoices',
  summary: 'List invoices and credit notes of all accounts',
  description:
    'Each as issued: later changes to an account, or its erasure, do not affect them. Newest first unless sorted.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['UNPROCESSABLE'],
  query: z.object({ ...invoiceFilter, ...sorting(invoiceSorts), ...paging(100) }),
  reply: { 200: pageOf(IssuedInvoice) },
  example: { data: [example], total: 1, page: 1, limit: 10 },
  handle: async ({ db }, { query }) => {
    const { invoices, total } = await findInvoices(db, query)
    return { data: invoices.map(issued), total, page: query.page, limit: query.limit }
  },
})

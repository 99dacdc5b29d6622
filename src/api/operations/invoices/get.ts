import { findInvoice } from '../../../orders/invoices/find-invoices.ts'
import { operation } from '../../operation.ts'
import example from './get.example.json' with { type: 'json' }
import { InvoicePath, IssuedInvoice, issued } from './invoice-schemas.ts'

export default operation({
  id: 'getInvoice',
  method: 'GET',
  path: '/admin/invoices/:number',
  summary: 'Get an invoice or credit note',
  description: 'As issued, even after its account was erased.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['NOT_FOUND'],
  params: InvoicePath,
  reply: { 200: IssuedInvoice },
  example,
  handle: async ({ db }, { params }) => issued(await findInvoice(db, params.number)),
})

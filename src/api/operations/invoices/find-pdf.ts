import { findInvoicePdf } from '../../../orders/invoices/find-invoices.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { InvoicePath, pdfReply, sendPdf } from './invoice-schemas.ts'

export default operation({
  id: 'findInvoicePdf',
  method: 'GET',
  path: '/admin/invoices/:number/pdf',
  summary: 'Get the PDF of any invoice or credit note',
  description: 'The bytes that were stored when it was issued, even after its account was erased.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['NOT_FOUND'],
  params: InvoicePath,
  reply: pdfReply,
  example: null,
  handle: async ({ db }, request, _caller, reply) => {
    const { number } = request.params
    addReadings(request, { identifiers: [number] })
    return sendPdf(reply, number, await findInvoicePdf(db, number))
  },
})

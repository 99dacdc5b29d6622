import { readInvoicePdf } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { InvoicePath, pdfReply, sendPdf } from './invoice-schemas.ts'

export default operation({
  id: 'getInvoicePdf',
  method: 'GET',
  path: '/api/invoices/:number/pdf',
  summary: 'Get an invoice or credit note as PDF',
  description: 'The document byte for byte as issued, whatever happened to the account or the purchase since.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  errors: ['NOT_FOUND'],
  params: InvoicePath,
  reply: pdfReply,
  example: null,
  handle: async ({ db }, request, { accountId }, reply) => {
    const { number } = request.params
    return sendPdf(reply, number, await readInvoicePdf(db, accountId, number))
  },
})

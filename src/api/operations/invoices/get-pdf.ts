import { z } from 'zod'
import { invoicePdf } from '../../../orders/invoices/invoice-pdf.ts'
import { readInvoice } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'

export default operation({
  id: 'getInvoicePdf',
  method: 'GET',
  path: '/api/invoices/:number/pdf',
  tag: 'Account',
  summary: 'An invoice or credit note as PDF',
  description: 'One page, as it was issued.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  errors: ['NOT_FOUND'],
  params: z.object({
    number: z
      .string()
      .max(100)
      .meta({ description: 'Number of the document', examples: ['PI-2627-0000001'] }),
  }),
  reply: {
    200: { description: 'The document', content: { 'application/pdf': { schema: z.unknown() } } },
  },
  example: null,
  handle:
    ({ db }) =>
    async (request, reply) => {
      const invoice = await readInvoice(db, principalOf(request).accountId, request.params.number)
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${invoice.number}.pdf"`)
        .send(await invoicePdf(invoice))
    },
})

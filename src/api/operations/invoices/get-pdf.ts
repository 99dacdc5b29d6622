import { z } from 'zod'
import { readInvoicePdf } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'

export default operation({
  id: 'getInvoicePdf',
  method: 'GET',
  path: '/api/invoices/:number/pdf',
  tag: 'Account',
  summary: 'An invoice or credit note as PDF',
  description: 'The document byte by byte as it was issued, whatever became of the account or of the purchase since.',
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
      const { number } = request.params
      const pdf = await readInvoicePdf(db, principalOf(request).accountId, number)
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="${number}.pdf"`)
        .send(pdf)
    },
})

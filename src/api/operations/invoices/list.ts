import { z } from 'zod'
import type { Invoice as Document } from '../../../orders/invoices/invoice.ts'
import { listInvoices } from '../../../orders/invoices/read-invoices.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { paging } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { paise } from '../subscriptions/subscription-schemas.ts'

const Invoice = z
  .object({
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    issued_at: timestamp(),
    against: z.string().nullable().describe('The invoice that a credit note takes back'),
    against_issued_at: timestamp().nullable().describe('When that invoice was issued'),
    description: z.string(),
    lines: z
      .array(
        z
          .object({
            description: z.string(),
            quantity: z.number().nullable().describe('Of records or credits; null for a part of one thing'),
            net: paise('Taxable value'),
          })
          .meta({ id: 'InvoiceLine' }),
      )
      .readonly(),
    rate: z.number().describe('Of the tax, in percent'),
    buyer: z.object({ name: z.string(), address: z.string().nullable() }).describe('As your billing details were then'),
    sac: z.string().describe('Services accounting code'),
    place_of_supply: z.string().describe('Two digits of the state'),
    gstin: z.string().nullable().describe('Of the buyer'),
    net: paise('Taxable value'),
    cgst: paise('Central tax'),
    sgst: paise('State tax'),
    igst: paise('Integrated tax'),
    total: paise('All together'),
  })
  .meta({ id: 'Invoice' })
const documented = ({
  issuedAt,
  placeOfSupply,
  againstIssuedAt,
  seller: _seller,
  ...rest
}: Document): z.output<typeof Invoice> => ({
  ...rest,
  issued_at: issuedAt.toISOString(),
  against_issued_at: againstIssuedAt?.toISOString() ?? null,
  place_of_supply: placeOfSupply,
})

export default operation({
  id: 'listInvoices',
  method: 'GET',
  path: '/api/invoices',
  tag: 'Account',
  summary: 'Your invoices and credit notes',
  description: 'Of everything that was paid in money, the newest first.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({ ...paging(100) }),
  reply: { 200: z.object({ data: z.array(Invoice), total: z.number(), page: z.number(), limit: z.number() }) },
  example: {
    data: [],
    total: 0,
    page: 1,
    limit: 10,
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { page, limit } = request.query
      const { invoices, total } = await listInvoices(db, principalOf(request).accountId, { page, limit })
      return { data: invoices.map(documented), total, page, limit }
    },
})

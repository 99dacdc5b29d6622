import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { indianDayOf } from '../../../domain/iso-date.ts'
import type { FoundInvoice } from '../../../orders/invoices/find-invoices.ts'
import type { Invoice as Document } from '../../../orders/invoices/invoice.ts'
import { day, paise, timestamp, uuid } from '../../formats.ts'
import { calendarMonth, textFilter } from '../../parameters.ts'

export const Invoice = z
  .object({
    number: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    issued_at: timestamp(),
    against: z.string().nullable().describe('The invoice that a credit note reverses'),
    against_issued_at: timestamp().nullable().describe('When that invoice was issued'),
    description: z.string(),
    lines: z
      .array(
        z
          .object({
            description: z.string(),
            quantity: z.number().nullable().describe('Number of records or credits; null for part of a single product'),
            net: paise('Taxable value'),
          })
          .meta({ id: 'InvoiceLine' }),
      )
      .readonly(),
    rate: z.number().describe('Tax rate in percent'),
    buyer: z.object({ name: z.string(), address: z.string().nullable() }).describe('Billing details at the time'),
    sac: z.string().describe('Services accounting code'),
    place_of_supply: z.string().describe('Two-digit state code'),
    gstin: z.string().nullable().describe('GSTIN of the buyer'),
    net: paise('Taxable value'),
    cgst: paise('Central tax'),
    sgst: paise('State tax'),
    igst: paise('Integrated tax'),
    total: paise('All together'),
  })
  .meta({ id: 'Invoice' })

export const documented = ({
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

export const IssuedInvoice = Invoice.extend({
  user_id: uuid('ID of the account that it was issued to'),
  date: day('Date of issue, in India'),
}).meta({ id: 'IssuedInvoice' })

export const issued = (invoice: FoundInvoice): z.output<typeof IssuedInvoice> => {
  const { accountId, ...document } = invoice
  return { ...documented(document), user_id: accountId, date: indianDayOf(document.issuedAt) }
}

export const invoiceFilter = {
  month: calendarMonth.optional().describe('Only documents issued in this month in India'),
  kind: Invoice.shape.kind.optional().describe('Only invoices, or only credit notes'),
  search: textFilter('A number, a GSTIN, part of the buyer’s name, or the ID or e-mail address of an account').meta({
    examples: ['PI-2627-0000001'],
  }),
}

export const InvoicePath = z.object({
  number: z
    .string()
    .max(100)
    .meta({ description: 'Number of the document', examples: ['PI-2627-0000001'] }),
})

export const pdfReply = {
  200: { description: 'The document', content: { 'application/pdf': { schema: z.unknown() } } },
}

export const sendPdf = (reply: FastifyReply, number: string, pdf: Buffer): FastifyReply =>
  reply.type('application/pdf').header('content-disposition', `attachment; filename="${number}.pdf"`).send(pdf)

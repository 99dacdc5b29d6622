/** Invoices and credit notes as CSV: sums in rupees, dates in India as YYYY-MM-DD. */
import { indianDayOf } from '../../domain/iso-date.ts'
import { csvPages, rupees } from '../rupees-csv.ts'
import type { FoundInvoice } from './find-invoices.ts'

const columns = [
  ...[
    'number',
    'kind',
    'date',
    'user_id',
    'buyer',
    'address',
    'gstin',
    'place_of_supply',
    'description',
    'sac',
    'rate',
  ],
  ...['net', 'cgst', 'sgst', 'igst', 'total', 'against', 'against_date'],
]

export const invoicesCsv = (pages: AsyncIterable<readonly FoundInvoice[]>): AsyncGenerator<string> =>
  csvPages(columns, pages, ({ number, kind, description, sac, rate, gstin, against, ...invoice }) => ({
    ...{ number, kind, description, sac, rate, gstin, against },
    ...{ date: indianDayOf(invoice.issuedAt), user_id: invoice.accountId, place_of_supply: invoice.placeOfSupply },
    ...{ buyer: invoice.buyer.name, address: invoice.buyer.address },
    ...{ net: rupees(invoice.net), cgst: rupees(invoice.cgst), sgst: rupees(invoice.sgst), igst: rupees(invoice.igst) },
    total: rupees(invoice.total),
    against_date: invoice.againstIssuedAt && indianDayOf(invoice.againstIssuedAt),
  }))

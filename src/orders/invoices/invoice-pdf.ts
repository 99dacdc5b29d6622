/** An invoice or credit note goes in, its PDF comes out: one page, the same bytes each time. */
import PDFDocument from 'pdfkit'
import { states } from '../../domain/states.ts'
import type { Invoice } from './read-invoices.ts'

const rupees = (paise: number) =>
  `INR ${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

export function invoicePdf(invoice: Invoice): Promise<Buffer> {
  const { number, kind, issuedAt, seller } = invoice
  const title = kind === 'invoice' ? 'Tax invoice' : 'Credit note'
  const info = {
    Title: `${title} ${number}`,
    CreationDate: issuedAt,
    ModDate: issuedAt,
    Producer: 'Panji',
    Creator: 'Panji',
  }
  const page = new PDFDocument({ size: 'A4', margin: 56, info })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    page.on('data', (chunk: Buffer) => chunks.push(chunk))
    page.on('end', () => resolve(Buffer.concat(chunks)))
    page.on('error', reject)
  })
  page.fontSize(18).text(title).moveDown(0.5).fontSize(10)
  for (const line of linesOf(invoice)) page.text(line)
  page
    .moveDown()
    .fontSize(12)
    .text(`Total ${rupees(invoice.total)}`)
  page.moveDown().fontSize(8).text(`${seller.name} issued this document electronically; it needs no signature.`)
  page.end()
  return done
}

function linesOf(invoice: Invoice): string[] {
  const { number, against, issuedAt, seller, buyer, gstin, placeOfSupply } = invoice
  const day = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'Asia/Kolkata' }).format(issuedAt)
  const place = states.find(({ gstCodes }) => gstCodes.includes(placeOfSupply))?.name ?? placeOfSupply
  const taxes = (['cgst', 'sgst', 'igst'] as const).filter((name) => invoice[name] > 0)
  return [
    `Number ${number}`,
    `Date ${day}`,
    ...(against ? [`Against invoice ${against}`] : []),
    `Seller ${latin(seller.name)}, ${latin(seller.address)}, GSTIN ${seller.gstin}`,
    `Buyer ${latin(buyer)}${gstin ? `, GSTIN ${gstin}` : ''}`,
    `Place of supply ${placeOfSupply} ${place}`,
    `${latin(invoice.description)}, SAC ${invoice.sac}`,
    `Taxable value ${rupees(invoice.net)}`,
    ...taxes.map((name) => `${name.toUpperCase()} ${rupees(invoice[name])}`),
    'Reverse charge: no',
  ]
}

/** The standard fonts of PDF know the letters of Latin-1; others show as a question mark. */
const latin = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?')

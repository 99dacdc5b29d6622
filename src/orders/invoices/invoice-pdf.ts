/**
 * Draws an invoice or credit note as a one-page PDF, however long the buyer's name or address; the same invoice gives
 * the same bytes.
 */

import type PDFDocument from 'pdfkit'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { states } from '../../domain/states.ts'
import { dayOf, type Invoice, type InvoiceLine, isInState } from './invoice.ts'
import { writeText } from './page-text.ts'

const margin = 48
const middle = 320
const width = 595 - 2 * margin

export async function invoicePdf(invoice: Invoice): Promise<Buffer> {
  // Loaded on demand: it takes 12 MiB, and most workers never draw an invoice.
  const { default: Document } = await import('pdfkit')
  const { number, kind, issuedAt } = invoice
  const title = kind === 'invoice' ? 'Tax invoice' : 'Credit note'
  const info = {
    Title: `${title} ${number}`,
    CreationDate: issuedAt,
    ModDate: issuedAt,
    Producer: 'Panji',
    Creator: 'Panji',
  }
  const page = new Document({ size: 'A4', margin, info, lang: 'en-IN' })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    page.on('data', (chunk: Buffer) => chunks.push(chunk))
    page.on('end', () => resolve(Buffer.concat(chunks)))
    page.on('error', reject)
  })
  draw(page, title, invoice)
  page.end()
  return done
}

type Page = InstanceType<typeof PDFDocument>

function draw(page: Page, title: string, invoice: Invoice): void {
  const { seller } = invoice
  let y = writeText(page, title, { x: margin, y: margin, width, size: 18, isBold: true })
  y = writeText(page, 'Original for recipient', { x: margin, y, width }) + 12
  const left = { x: margin, width: middle - margin - 20 }
  const right = { x: middle, width: margin + width - middle }
  let [leftEnd, rightEnd] = [y, y]
  for (const line of partiesOf(invoice)) leftEnd = writeText(page, line, { ...left, y: leftEnd })
  for (const line of factsOf(invoice)) rightEnd = writeText(page, line, { ...right, y: rightEnd })
  y = Math.max(leftEnd, rightEnd) + 14
  for (const line of invoice.lines) y = drawLine(page, line, invoice, y)
  rule(page, y)
  y += 4
  const sums = sumsOf(invoice)
  for (const [at, line] of sums.entries()) {
    const size = at === sums.length - 1 ? 12 : 9
    y = writeText(page, line, { x: margin, y: y + 2, width, size, isRight: true })
  }
  writeText(page, `Issued electronically by ${seller.name}; no signature is required.`, {
    ...{ x: margin, y: y + 20, width, size: 8 },
  })
}

function partiesOf({ seller, buyer, gstin, placeOfSupply }: Invoice): string[] {
  return [
    `Supplier: ${seller.name}`,
    ...(seller.address === '' ? [] : [seller.address]),
    `GSTIN: ${seller.gstin}`,
    `State: ${stateOf(seller.gstin.slice(0, 2))}`,
    '',
    `Recipient: ${buyer.name}`,
    ...(buyer.address === null ? [] : [onFewLines(buyer.address)]),
    gstin === null ? 'Not registered for GST' : `GSTIN: ${gstin}`,
    `State: ${stateOf(placeOfSupply)}`,
  ]
}

/** Keeps the line breaks of the address unless there are so many that the sums would no longer fit on the page. */
function onFewLines(address: string): string {
  const lines = address.split('\n')
  return lines.length > 8 ? lines.join(', ') : address
}

function factsOf({ number, issuedAt, against, againstIssuedAt, placeOfSupply }: Invoice): string[] {
  return [
    `Number: ${number}`,
    `Date: ${dayOf(issuedAt)}`,
    ...(against !== null && againstIssuedAt
      ? [`Against invoice: ${against}`, `Date of that invoice: ${dayOf(againstIssuedAt)}`]
      : []),
    `Place of supply: ${stateOf(placeOfSupply)}`,
    'Reverse charge: No',
  ]
}

/** The supplied item, with its taxable value to the right. */
function drawLine(page: Page, line: InvoiceLine, { sac }: Invoice, y: number): number {
  rule(page, y)
  const value = { x: middle, y: y + 6, width: margin + width - middle, isRight: true }
  writeText(page, `Taxable value: ${shownRupees(line.net)}`, value)
  const below = writeText(page, line.description, { x: margin, y: y + 6, width: middle - margin - 20 })
  const quantity = line.quantity === null ? '' : `, quantity ${line.quantity.toLocaleString('en-IN')}`
  return writeText(page, `SAC ${sac}${quantity}`, { x: margin, y: below, width }) + 6
}

function sumsOf(invoice: Invoice): string[] {
  const { net, cgst, sgst, igst, total, rate, placeOfSupply } = invoice
  const territory = unionTerritories.includes(placeOfSupply) ? 'UTGST' : 'SGST'
  const taxes = isInState(invoice)
    ? [`CGST ${rate / 2}%: ${shownRupees(cgst)}`, `${territory} ${rate / 2}%: ${shownRupees(sgst)}`]
    : [`IGST ${rate}%: ${shownRupees(igst)}`]
  return [`Taxable value: ${shownRupees(net)}`, ...taxes, `Total: ${shownRupees(total)}`]
}

/** Union territories without a legislature, which levy union territory tax instead of state tax. */
const unionTerritories = ['04', '25', '26', '31', '35', '38']

const stateOf = (code: string) =>
  `${states.find(({ gstCodes }) => gstCodes.includes(code))?.name ?? 'Other territory'} (${code})`

function rule(page: Page, y: number): void {
  page
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .lineWidth(0.5)
    .stroke('#888888')
  page.fillColor('#000000')
}

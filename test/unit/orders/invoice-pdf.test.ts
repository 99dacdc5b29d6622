import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import { invoicePdf } from '../../../src/orders/invoices/invoice-pdf.ts'
import type { Invoice } from '../../../src/orders/invoices/read-invoices.ts'

const invoice: Invoice = {
  ...{ number: 'PI/26-27/000001', kind: 'invoice', issuedAt: new Date('2026-11-30T20:00:00Z'), against: null },
  ...{ description: '100 credits', sac: '998439', placeOfSupply: '30', gstin: null, seller: sampleSeller },
  ...{ buyer: 'Mandovi Trading', net: 100_000, cgst: 9_000, sgst: 9_000, igst: 0, total: 118_000 },
}

test('the page of an invoice says what was sold to whom, which taxes came on top, and what was paid', async () => {
  const text = textOf(await invoicePdf(invoice))
  for (const line of [
    'Tax invoice',
    'Number PI/26-27/000001',
    'Date 1 December 2026',
    'Buyer Mandovi Trading',
    'Place of supply 30 Goa',
    'Taxable value INR 1,000.00',
    'CGST INR 90.00',
    'SGST INR 90.00',
    'Total INR 1,180.00',
  ])
    expect(text).toContain(line)
  for (const word of ['Credit note', 'Against invoice', 'IGST']) expect(text).not.toContain(word)
})

test('the page of a credit note says that it is one, and which invoice it takes back', async () => {
  const taxes = { cgst: 0, sgst: 0, igst: 18_000 }
  const note: Invoice = {
    ...invoice,
    ...taxes,
    number: 'PC/26-27/000001',
    kind: 'credit_note',
    against: invoice.number,
  }
  const text = textOf(await invoicePdf(note))
  for (const line of ['Credit note', 'Number PC/26-27/000001', 'Against invoice PI/26-27/000001', 'IGST INR 180.00'])
    expect(text).toContain(line)
  for (const word of ['Tax invoice', 'CGST', 'SGST']) expect(text).not.toContain(word)
})

/** What the pages show, a line of the page per line: strings of hexadecimal digits with the spaces between letters left out. */
function textOf(pdf: Buffer): string {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  const drawn = [...streams]
    .map(([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'))
    .join('')
  return [...drawn.matchAll(/\[([^\]]*)\] TJ/g)]
    .map(([, run = '']) =>
      [...run.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    )
    .join('\n')
}

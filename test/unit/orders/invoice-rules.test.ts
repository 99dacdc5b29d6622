/** docs/invoices.md: each rule of a tax invoice and a credit note beside the line of the document that serves it, and the documents whole. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import type { Invoice } from '../../../src/orders/invoices/invoice.ts'
import { invoicePdf } from '../../../src/orders/invoices/invoice-pdf.ts'
import { readPdf } from '../../support/pdf-text.ts'

const page = readFileSync(new URL('../../../docs/invoices.md', import.meta.url), 'utf8')
const [invoiceText = '', noteText = ''] = [...page.matchAll(/```text\n([\s\S]*?)\n```/g)].map(([, text = '']) => text)

const invoice: Invoice = {
  ...{ number: 'PI-2627-0000042', kind: 'invoice', issuedAt: new Date('2026-11-23T20:00:00Z') },
  ...{ against: null, againstIssuedAt: null, description: '3 records of the Indian registers' },
  lines: [
    { description: 'Records of the company register', quantity: 2, net: 2_000 },
    { description: 'Records of the GST register', quantity: 1, net: 1_000 },
  ],
  ...{ sac: '998439', rate: 18, placeOfSupply: '30', gstin: '30AAPFU0939F1Z8', seller: sampleSeller },
  buyer: { name: 'मांडवी ट्रेडिंग LLP', address: '12 Altinho\nPanaji 403001' },
  ...{ net: 3_000, cgst: 270, sgst: 270, igst: 0, total: 3_540 },
}
const note: Invoice = {
  ...invoice,
  ...{ number: 'PC-2627-0000007', kind: 'credit_note', issuedAt: new Date('2026-12-01T06:00:00Z') },
  ...{ against: invoice.number, againstIssuedAt: invoice.issuedAt, description: `Refund of ${invoice.description}` },
  lines: [{ description: 'Records of the company register', quantity: 1, net: 1_000 }],
  ...{ net: 1_000, cgst: 90, sgst: 90, total: 1_180 },
}

test('an invoice and a credit note say, line by line, what the page shows', async () => {
  expect(readPdf(await invoicePdf(invoice)).lines).toEqual(invoiceText.split('\n'))
  expect(readPdf(await invoicePdf(note)).lines).toEqual(noteText.split('\n'))
})

/** The rows of a table: clause, what it asks for, the member of the API, the lines that serve it. */
const rowsUnder = (heading: string) => {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| \((\w+)\)(.*)\|$/gm)].map(([, clause, rest = '']) => ({
    clause,
    lines: [...(rest.split('|').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  }))
}

test.each([
  ['Rule 46: the tax invoice', 'abcdefghijklmnopqrs', () => invoiceText],
  ['Rule 53: the credit note', 'abcdefghi', () => noteText],
])('%s: each clause stands in the table, beside lines that the document has', (heading, clauses, text) => {
  const rows = rowsUnder(heading)
  expect(rows.map(({ clause }) => clause)).toEqual([...clauses])
  const lines = text().split('\n')
  for (const { clause, lines: served } of rows)
    for (const line of served) expect([clause, lines]).toEqual([clause, expect.arrayContaining([line])])
  expect(rows.filter(({ lines: served }) => served.length > 0).length).toBeGreaterThan(6)
})

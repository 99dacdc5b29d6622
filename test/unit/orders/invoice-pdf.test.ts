/** What the page of an invoice and of a credit note says, read from the PDF. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import type { Invoice } from '../../../src/orders/invoices/invoice.ts'
import { invoicePdf } from '../../../src/orders/invoices/invoice-pdf.ts'
import { readPdf } from '../../support/pdf-text.ts'

const invoice: Invoice = {
  ...{ number: 'PI-2627-0000001', kind: 'invoice', issuedAt: new Date('2026-11-30T20:00:00Z') },
  ...{ against: null, againstIssuedAt: null, description: '100 credits for records of the Indian registers' },
  lines: [{ description: '100 credits for records of the Indian registers', quantity: 100, net: 100_000 }],
  ...{ sac: '998439', rate: 18, placeOfSupply: '30', gstin: null, seller: sampleSeller },
  buyer: { name: 'Mandovi Trading LLP', address: '12 Altinho\nPanaji 403001' },
  ...{ net: 100_000, cgst: 9_000, sgst: 9_000, igst: 0, total: 118_000 },
}
const named = (name: string): Invoice => ({ ...invoice, buyer: { name, address: null } })

const scripts = [
  ...['Łódź Ñandú', 'Ελλάς', 'Привет', 'मांडवी ट्रेडिंग प्राइवेट लिमिटेड', 'বাংলা ক্ষেত্র', 'ગુજરાતી', 'ਪੰਜਾਬੀ', 'ಕನ್ನಡ ಶ್ರೀ'],
  ...['മലയാളം', 'ଓଡ଼ିଆ', 'தமிழ் நிறுவனம்', 'తెలుగు', 'گلوبل ٹریڈنگ', '東京商事株式会社', 'ไทย'],
]

test.each(scripts)(
  'the name %s is printed as it is, each letter by a glyph of a font that lies in the file',
  async (name) => {
    const { lines, glyphs } = readPdf(await invoicePdf(named(name)))
    expect(lines).toContain(`Recipient: ${name}`)
    expect(glyphs).toBeGreaterThan(200)
  },
)

test('two names of the same length in other letters are other glyphs, so that none is a placeholder', async () => {
  const shown = await Promise.all(
    ['ङञ', 'चछ', 'கச', 'టఠ'].map(async (name) => readPdf(await invoicePdf(named(name))).letters),
  )
  for (const [index, name] of ['ङञ', 'चछ', 'கச', 'టఠ'].entries())
    for (const letter of name) expect(shown[index]).toContain(letter)
})

test('no name stops an invoice, whatever marks follow whatever letters of the Indian scripts and Arabic', async () => {
  const blocks = [0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00, 0x600, 0x680]
  const letters = blocks
    .flatMap((block) => Array.from({ length: 128 }, (_, index) => String.fromCodePoint(block + index)))
    .filter((letter) => /[\p{L}\p{M}]/u.test(letter))
  const names = fc.array(fc.constantFrom(...letters), { minLength: 40, maxLength: 80 }).map((each) => each.join(''))
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      expect((await invoicePdf(named(name))).length).toBeGreaterThan(1_000)
    }),
    { numRuns: 8 },
  )
}, 60_000)

test('an invoice is the same bytes each time it is drawn', async () => {
  expect(await invoicePdf(invoice)).toEqual(await invoicePdf(invoice))
})

test('the longest name, address and list of lines that a document can have leave its sums on the page', async () => {
  const lines = ['company', 'director', 'GST'].map((kind) => ({
    ...{ description: `Records of the ${kind} register`, quantity: 10_000, net: 1_000_000 },
  }))
  for (const address of [`${'W'.repeat(499)}`, 'a\n'.repeat(250), `${'ക്ഷ്മീ '.repeat(72)}`.slice(0, 500)]) {
    const buyer = { name: `${'WM '.repeat(66)}`, address }
    const { lowest, lines: written } = readPdf(await invoicePdf({ ...invoice, lines, buyer }))
    expect(written.at(-1)).toContain('no signature is required')
    expect(lowest).toBeGreaterThan(48)
  }
})

test.each([
  ['30', '30', { cgst: 9_000, sgst: 9_000, igst: 0 }, ['CGST 9%: ₹90.00', 'SGST 9%: ₹90.00']],
  ['04', '04', { cgst: 9_000, sgst: 9_000, igst: 0 }, ['CGST 9%: ₹90.00', 'UTGST 9%: ₹90.00']],
  ['30', '27', { cgst: 0, sgst: 0, igst: 18_000 }, ['IGST 18%: ₹180.00']],
  ['30', '04', { cgst: 0, sgst: 0, igst: 0 }, ['IGST 18%: ₹0.00']],
])(
  'a supply from %s to %s names the taxes that are due there, and no other',
  async (home, placeOfSupply, taxes, expected) => {
    const seller = { ...invoice.seller, gstin: `${home}${invoice.seller.gstin.slice(2)}` }
    const { lines } = readPdf(await invoicePdf({ ...invoice, ...taxes, seller, placeOfSupply }))
    expect(lines.filter((line) => /GST \d/.test(line))).toEqual(expected)
  },
)

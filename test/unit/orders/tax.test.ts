/** The tax within a sum, and of every part of it that goes back: to the paisa, in equal halves. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { halvesOf, splitTax, taxOfPart } from '../../../src/orders/tax.ts'

const sums = fc.integer({ min: 1, max: 1_000_000_000 })

test('net and tax of any sum add up to it, the tax in two equal halves, each within half a paisa of nine of 118 parts', () => {
  fc.assert(
    fc.property(sums, (total) => {
      const { net, tax } = splitTax(total)
      expect(net + tax).toBe(total)
      expect(tax % 2).toBe(0)
      expect(Math.abs(tax / 2 - (total * 9) / 118)).toBeLessThanOrEqual(0.5)
      expect(halvesOf(tax)).toEqual({ cgst: tax / 2, sgst: tax / 2 })
    }),
  )
})

/** Gives parts of a sum back, the rest at last. */
function giveBack(total: number, parts: readonly number[]) {
  const { tax } = splitTax(total)
  const notes: { readonly net: number; readonly tax: number }[] = []
  let [before, taxBefore] = [0, 0]
  for (const part of [...parts, total]) {
    const amount = Math.min(part, total - before)
    if (amount === 0) continue
    const taxed = taxOfPart({ total, tax, before, taxBefore, amount })
    notes.push({ net: amount - taxed, tax: taxed })
    before += amount
    taxBefore += taxed
  }
  return notes
}
const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0)

test('over any series of parts that go back, net and tax are never below zero and add up to those of the invoice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.array(fc.integer({ min: 1, max: 60 })), (total, parts) => {
      const notes = giveBack(total, parts)
      for (const { net, tax } of notes) expect(Math.min(net, tax)).toBeGreaterThanOrEqual(0)
      const sold = splitTax(total)
      expect([sum(notes.map(({ net }) => net)), sum(notes.map(({ tax }) => tax))]).toEqual([sold.net, sold.tax])
    }),
    { numRuns: 2_000 },
  )
})

test('central and state tax are equal in every credit note, whatever parts of a rupee or more go back, and what is left after each', () => {
  fc.assert(
    fc.property(sums, fc.array(fc.integer({ min: 100, max: 100_000_000 }), { maxLength: 30 }), (total, parts) => {
      // The last part is as large as is left, be it a paisa.
      for (const { net, tax } of giveBack(total, parts)) {
        expect(tax % 2).toBe(0)
        expect(Math.abs(tax - ((net + tax) * 18) / 118)).toBeLessThan(3)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('what goes back first holds the even tax that is nearest to nine and nine of its 118 parts', () => {
  expect(giveBack(354_000, [100])[0]).toEqual({ net: 84, tax: 16 })
  expect(giveBack(59_000, [50_050])[0]).toEqual({ net: 42_416, tax: 7_634 })
})

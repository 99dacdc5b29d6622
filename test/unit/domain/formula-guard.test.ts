import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guarded, unguarded } from '../../../src/domain/formula-guard.ts'

test.each([
  '=1+1',
  '@SUM(A1)',
  '-1+1',
  '+cmd',
  '  =1+1',
  '\t=1',
  '\u200b=1',
  '＝1+1',
  '＋1+1',
  '－2+3',
  '＠x',
  '+91=1',
  '\r',
])('%j would run as a formula, so it becomes text', (cell) => {
  expect(guarded(cell)).toBe(`'${cell}`)
})

test.each(['+919812345678', '+91 98123 45678', '-5', '-1,00,000.00', 'a=b', '1 Main Road', ''])(
  '%j runs nothing and stays as it is',
  (cell) => {
    expect(guarded(cell)).toBe(cell)
  },
)

test('nothing but one apostrophe is ever added, and it can be taken away again', () => {
  const sign = fc.constantFrom(..."=+-@＝ \t\r\n'1a".split(''))
  const cell = fc.oneof(
    fc.string(),
    fc.array(sign, { maxLength: 6 }).map((signs) => signs.join('')),
  )
  fc.assert(
    fc.property(cell, (text) => {
      expect([text, `'${text}`]).toContain(guarded(text))
      expect(unguarded(guarded(text))).toBe(text)
      expect(guarded(text)).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=@＝＋－＠]/u)
    }),
    { numRuns: 2000 },
  )
})

import fc from 'fast-check'
import { isPossiblePhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { readPhones } from '../../../../src/domain/contact/phone-numbers.ts'

const mobile = (number: string) => ({ number, type: 'mobile' as const })
const landline = (number: string) => ({ number, type: 'landline' as const })

test.each([
  ['98123 45678', [mobile('+919812345678')]],
  ['098123-45678', [mobile('+919812345678')]],
  ['919812345678', [mobile('+919812345678')]],
  ['0091 98123 45678', [mobile('+919812345678')]],
  ['9812345678.0', [mobile('+919812345678')]],
  ['९८१२३४५६७८', [mobile('+919812345678')]],
  ['９８１２３４５６７８', [mobile('+919812345678')]],
  ['\u202a+91 98123 45678\u202c', [mobile('+919812345678')]],
  ['98123 45678 / 98123 45679', [mobile('+919812345678'), mobile('+919812345679')]],
  ['9812345678, 9812345678', [mobile('+919812345678')]],
  ['9812345678 9812345679', [mobile('+919812345678'), mobile('+919812345679')]],
  ['0832-2222222', [landline('+918322222222')]],
  ['(0832) 2222222 & 98123 45678', [landline('+918322222222'), mobile('+919812345678')]],
  ['022 2345 6789 ext 12', [landline('+912223456789')]],
  ['+1 415 555 2671', [mobile('+14155552671')]],
  ['+44 20 7183 8750', [landline('+442071838750')]],
])('%j holds the numbers %j and nothing else', (cell, phones) => {
  expect(readPhones(cell)).toEqual({ phones, hasJunk: false })
})

test.each([
  '12345',
  '2222222',
  'not available',
  '9.81235E+09',
  '0000000000',
  '9999999999',
  '1800 123 4567',
  '1860 266 2666',
  '98123 4567',
  '009800001',
  '981234567890123456',
])('%j is no number of a lead, and is said to be none', (cell) => {
  expect(readPhones(cell)).toEqual({ phones: [], hasJunk: true })
})

test('invalid text next to a number is reported, and the number is kept', () => {
  expect(readPhones('98123 45678 / NA')).toEqual({ phones: [mobile('+919812345678')], hasJunk: true })
})

const digits = fc.stringMatching(/^[0-9]{6,13}$/)
const piece = fc.oneof(
  digits,
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('98123 45678', '+91', ' ', '/', '-', '\n', '1800'),
)

test('whatever a cell holds, each number is possible, in E.164, stands once, and reads back as itself', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const { phones } = readPhones(pieces.join(''))
      expect(new Set(phones.map(({ number }) => number)).size).toBe(phones.length)
      for (const { number } of phones) {
        expect(number).toMatch(/^\+[1-9]\d{6,14}$/)
        expect(isPossiblePhoneNumber(number)).toBe(true)
      }
      expect(readPhones(phones.map(({ number }) => number).join(';')).phones).toEqual(phones)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['9.812345678E9', ['+919812345678']],
  ['9.812345678E+09', ['+919812345678']],
  ['9.81234E+09', []],
  ['1234567890', []],
  ['98765 43210', []],
  ['Mob.9812345678 Ph 0832-2225678', ['+919812345678', '+918322225678']],
  ['Off: 0832-2225678 Res: 0832-2225679', ['+918322225678', '+918322225679']],
])('%s holds %j', (cell, numbers) => {
  expect(readPhones(cell).phones.map(({ number }) => number)).toEqual(numbers)
})

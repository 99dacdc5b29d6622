import fc from 'fast-check'
import validator from 'validator'
import { expect, test } from 'vitest'
import { readEmails } from '../../../../src/domain/contact/email-addresses.ts'

const read = (cell: string) => readEmails(cell).addresses

test.each([
  ['Office@Example.test', ['office@example.test']],
  [' info[at]example[dot]co[dot]in ', ['info@example.co.in']],
  ['a@example.in; b@example.in', ['a@example.in', 'b@example.in']],
  ['a@example.in,b@example.in/a@example.in', ['a@example.in', 'b@example.in']],
  ['a@example.in b@example.in', ['a@example.in', 'b@example.in']],
  ['Email: a@example.in and b@example.in', ['a@example.in', 'b@example.in']],
  ['"Rajesh Sharma" <rs@example.in>', ['rs@example.in']],
  ['mailto:rs@example.in.', ['rs@example.in']],
  ['संपर्क@उदाहरण.भारत', ['संपर्क@xn--p1b6ci4b4b3a.xn--h2brj9c']],
  ['info@bücher.example', ['info@xn--bcher-kva.example']],
  ['in\u200bfo@example.in\u202e', ['info@example.in']],
  ['a@example.in\r\nb@example.in', ['a@example.in', 'b@example.in']],
])('%j holds the addresses %j and nothing else', (cell, addresses) => {
  expect(readEmails(cell)).toEqual({ addresses, hasJunk: false })
})

test.each([
  'rajesh kumar@example.in',
  'info@ example.in',
  'info@',
  '@example.in',
  'example.in',
  'not available',
  'info@example',
  'a@b@example.in',
  'info@example..in',
  '.info@example.in',
  'x'.repeat(2001),
])('%j is no address, and is said to be none', (cell) => {
  expect(readEmails(cell)).toEqual({ addresses: [], hasJunk: true })
})

test('a full-width separator ends an address, and no sign of one becomes part of its domain', () => {
  expect(readEmails('a@example.in\uff1bb@example.in').addresses).toEqual(['a@example.in', 'b@example.in'])
  expect(readEmails('a@a.aa\ufe14').addresses).toEqual(['a@a.aa'])
  expect(readEmails('a@a.aa\ufe54').addresses).toEqual([])
})

test('invalid text next to an address is reported, and the address is kept', () => {
  expect(readEmails('a@example.in; NOT GIVEN')).toEqual({ addresses: ['a@example.in'], hasJunk: true })
})

const piece = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a@example.in', ';', ' ', '/', '\n', '\u200d', 'NA'),
)

test('whatever a cell holds, each address parses, has no blank or control, stands once, and reads back as itself', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const addresses = read(pieces.join(''))
      expect(new Set(addresses).size).toBe(addresses.length)
      for (const address of addresses) {
        expect(validator.isEmail(address, { allow_utf8_local_part: true })).toBe(true)
        expect(address).not.toMatch(/[\s\p{Cc}\p{Cf}]/u)
      }
      expect(read(addresses.join(';'))).toEqual(addresses)
    }),
    { numRuns: 500 },
  )
})

test.each([
  'na@na.com',
  'noemail@nomail.com',
  'no-reply@example.in',
  'NoReply@example.in',
  'abc@abc.com',
  'dummy@example.in',
  'raj@gmail.con',
  'raj@gmail.co',
  'raj@example.comm',
])("%s is nobody's address", (cell) => {
  expect(readEmails(cell)).toEqual({ addresses: [], hasJunk: true })
})

test.each([
  ['raj\uff20example.in', 'raj@example.in'],
  ['raj@example\uff0ein', 'raj@example.in'],
])('what only one address can be meant by is read: %s', (cell, address) => {
  expect(readEmails(cell)).toEqual({ addresses: [address], hasJunk: false })
})

test("blanks within an address are not taken away, for it might be somebody else's", () => {
  for (const cell of ['rajesh kumar@example.in', 'raj @gmail.com', 'raj@gmail. com'])
    expect(readEmails(cell).addresses).toEqual([])
})

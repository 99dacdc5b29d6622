import { expect, test } from 'vitest'
import { readStateName } from '../../../src/domain/state-name.ts'
import { states } from '../../../src/domain/states.ts'

test('every name and alias of the table is read as its state, in any case, spacing and punctuation', () => {
  for (const { name, aliases } of states) {
    for (const word of [name, ...aliases]) {
      for (const spelling of [word, word.toUpperCase(), ` ${word.toLowerCase().replaceAll(' ', '  ')} `]) {
        expect([spelling, readStateName(spelling)]).toEqual([spelling, { ok: true, name }])
      }
    }
  }
})

test.each([
  ['goa', 'Goa'],
  ['Orissa', 'Odisha'],
  ['TAMIL NADU', 'Tamil Nadu'],
  ['Jammu & Kashmir', 'Jammu and Kashmir'],
  ['Tamil-Nadu', 'Tamil Nadu'],
])('%s means %s', (text, name) => {
  expect(readStateName(text)).toEqual({ ok: true, name })
})

test.each([
  ['Keralla', 'Kerala'],
  ['Maharshtra', 'Maharashtra'],
  ['Gao', 'Goa'],
  ['Atlantis', null],
  ['x'.repeat(5000), null],
  ['', null],
])('%.20s is unknown, and the suggestion is %s', (text, suggestion) => {
  expect(readStateName(text)).toMatchObject({ ok: false, suggestion })
})

test('no part of a state’s name is taken for another state, nor advised as one', () => {
  for (const { name } of states) {
    const words = name.split(' ')
    const parts = words.flatMap((_, from) => words.map((_word, to) => words.slice(from, to + 1).join(' ')))
    for (const part of parts.filter((each) => each !== '' && !/^and\b/.test(each))) {
      const reading = readStateName(part)
      expect([name, null], part).toContain(reading.ok ? reading.name : reading.suggestion)
    }
  }
})

test('every code of a state is read as the state that it is the code of, in any case', () => {
  const owners = new Map<string, string>()
  for (const { name, gstCodes, letters } of states) {
    for (const code of [...gstCodes, ...letters]) {
      expect([code, owners.get(code)]).toEqual([code, undefined])
      owners.set(code, name)
      for (const spelling of [code, code.toLowerCase(), ` ${code} `]) {
        expect([spelling, readStateName(spelling)]).toEqual([spelling, { ok: true, name }])
      }
    }
  }
  expect(readStateName('1')).toEqual({ ok: true, name: 'Jammu and Kashmir' })
})

test.each([
  ['MH', 'Maharashtra'],
  ['27', 'Maharashtra'],
  ['UK', 'Uttarakhand'],
  ['CG', 'Chhattisgarh'],
  ['CH', 'Chandigarh'],
  ['OD', 'Odisha'],
  ['TS', 'Telangana'],
  ['Pondicherry', 'Puducherry'],
  ['Uttaranchal', 'Uttarakhand'],
  ['IN-KA', 'Karnataka'],
  ['Mysore State', 'Karnataka'],
  ['Keralam', 'Kerala'],
  ['NCT of Delhi', 'Delhi'],
  ['State of Gujarat', 'Gujarat'],
  ['Andaman & Nicobar Islands', 'Andaman and Nicobar Islands'],
])('the code or former name %s means %s', (text, name) => {
  expect(readStateName(text)).toEqual({ ok: true, name })
})

test.each([
  ['Bombay', 'Maharashtra'],
  ['calcutta', 'West Bengal'],
  ['MADRAS', 'Tamil Nadu'],
  ['Bengaluru', 'Karnataka'],
])('%s is answered as a city, with the state that it lies in', (text, name) => {
  const reading = readStateName(text)
  expect(reading).toMatchObject({ ok: false, suggestion: name })
  expect(reading).toMatchObject({ message: expect.stringMatching(new RegExp(`city.*${name}`)) })
})

test.each(['XX', 'Q', '98', 'ZZ', '00'])('%s, which is no code, is not taken for a neighbour of one', (text) => {
  expect(readStateName(text)).toMatchObject({ ok: false, suggestion: null })
})

test('every suggestion is read as the state that it names', () => {
  for (const text of ['Keralla', 'Gao', 'Bombay', 'Madhya Pradsh', 'Utar Pradesh', 'Rajastan', 'Jharkand', 'Punjb']) {
    const reading = readStateName(text)
    if (reading.ok || reading.suggestion === null) throw new Error(`${text} has no suggestion`)
    expect(readStateName(reading.suggestion)).toEqual({ ok: true, name: reading.suggestion })
  }
})

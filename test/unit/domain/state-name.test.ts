import { expect, test } from 'vitest'
import { states } from '../../../config/states.ts'
import { readStateName } from '../../../src/domain/state-name.ts'

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

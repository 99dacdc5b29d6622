import { describe, expect, test } from 'vitest'
import { cinParts, parseCompanyId } from '../../../src/domain/company-id.ts'
import { parseDin } from '../../../src/domain/din.ts'
import { isIsoDate } from '../../../src/domain/iso-date.ts'

describe('company identifiers', () => {
  test.each([
    ['U85100GA2022PTC015629', 'cin', 'U85100GA2022PTC015629'],
    [' u85100ga2022ptc015629 ', 'cin', 'U85100GA2022PTC015629'],
    ['AAC-3965', 'llpin', 'AAC-3965'],
    ['aac3965', 'llpin', 'AAC-3965'],
    ['FAAB-1234', 'fllpin', 'FAAB-1234'],
    ['F01234', 'fcrn', 'F01234'],
  ])('%s is read as %s %s', (text, kind, value) => {
    expect(parseCompanyId(text)).toEqual({ kind, value })
  })

  test.each(['U63040GA2006PTCOO4531', 'ALLA', '', 'U8510GA2022PTC015629', 'AAC-39651'])(
    '%s is no identifier',
    (text) => {
      expect(parseCompanyId(text)).toBeUndefined()
    },
  )

  test('the parts of a CIN are read by position', () => {
    expect(cinParts('L01110GA1990PLC000123')).toEqual({
      listed: true,
      nicCode: '01110',
      stateLetters: 'GA',
      year: 1990,
      typeLetters: 'PLC',
      registrationNumber: '000123',
    })
  })
})

test('a DIN that lost its leading zeros is padded back', () => {
  expect(parseDin('12345')).toBe('00012345')
  expect(parseDin('123456789')).toBeUndefined()
  expect(parseDin('00000000')).toBeUndefined()
})

test('only days that exist are dates', () => {
  expect(isIsoDate('2024-02-29')).toBe(true)
  expect(isIsoDate('2023-02-29')).toBe(false)
  expect(isIsoDate('2024-13-01')).toBe(false)
})

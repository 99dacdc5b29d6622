import { expect, test } from 'vitest'
import { indianDayOf, isIsoDate } from '../../../src/domain/iso-date.ts'

test('a day in India begins at 18:30 UTC', () => {
  expect(indianDayOf(new Date('2026-03-31T18:29:59.999Z'))).toBe('2026-03-31')
  expect(indianDayOf(new Date('2026-03-31T18:30:00Z'))).toBe('2026-04-01')
})

test('only days that exist are days', () => {
  expect(['2024-02-29', '2023-02-29', '2020-02-31', '2020-2-3', '0020-02-03'].filter(isIsoDate)).toEqual(['2024-02-29'])
})

import { expect, test } from 'vitest'
import { clocks } from '../../../scripts/clocks.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'

const onAll = (now: string) =>
  Object.fromEntries(Object.entries(clocks).map(([name, at]) => [name, new Date(at(new Date(now))).toISOString()]))

test('each clock is the next of its kind, and lies ahead', () => {
  expect(onAll('2026-11-23T07:30:00Z')).toEqual({
    'a-day': '2026-11-24T07:30:00.000Z',
    'forty-days': '2027-01-02T07:30:00.000Z',
    'a-year': '2027-11-23T07:30:00.000Z',
    'leap-day': '2028-02-29T06:00:00.000Z',
    'end-of-march': '2027-03-31T18:29:00.000Z',
    'before-midnight': '2026-11-23T18:29:00.000Z',
    'after-midnight': '2026-11-23T18:31:00.000Z',
  })
  expect(onAll('2028-03-31T18:30:00Z')).toMatchObject({
    'leap-day': '2032-02-29T06:00:00.000Z',
    'end-of-march': '2029-03-31T18:29:00.000Z',
    'before-midnight': '2028-04-01T18:29:00.000Z',
    'after-midnight': '2028-03-31T18:31:00.000Z',
  })
})

test('two of them lie on both sides of midnight in India', () => {
  const { 'before-midnight': before = '', 'after-midnight': after = '' } = onAll('2026-11-23T07:30:00Z')
  expect([before, after].map((at) => indianDayOf(new Date(at)))).toEqual(['2026-11-23', '2026-11-24'])
})

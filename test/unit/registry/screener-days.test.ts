/** Days of a query that are told from today, which is Tuesday, 24 November 2026, unless a case says otherwise. */
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'

const field = 'dateOfIncorporation'
const read = (condition: string, today = '2026-11-24') =>
  readQuery('company', `${field} ${condition}`, null, today).canonical.replaceAll(field, 'day')

test.each([
  ['>= this month', "day >= '2026-11-01'"],
  ['> this month', "day > '2026-11-30'"],
  ['<= last month', "day <= '2026-10-31'"],
  ['< THIS MONTH', "day < '2026-11-01'"],
  ['== today', "day == '2026-11-24'"],
  ['== yesterday', "day == '2026-11-23'"],
  ['!= today', "NOT day == '2026-11-24'"],
  ['== this week', "day BETWEEN '2026-11-23' AND '2026-11-29'"],
  ['== previous week', "day BETWEEN '2026-11-16' AND '2026-11-22'"],
  ['== this quarter', "day BETWEEN '2026-10-01' AND '2026-12-31'"],
  ['== last year', "day BETWEEN '2025-01-01' AND '2025-12-31'"],
  ['== this financial year', "day BETWEEN '2026-04-01' AND '2027-03-31'"],
  ['!= this month', "NOT day BETWEEN '2026-11-01' AND '2026-11-30'"],
  ['IN LAST 7 DAYS', "day BETWEEN '2026-11-18' AND '2026-11-24'"],
  ['IN last 1 day', "day == '2026-11-24'"],
  ['IN past 2 weeks', "day BETWEEN '2026-11-11' AND '2026-11-24'"],
  ['IN LAST 3 MONTHS', "day BETWEEN '2026-08-25' AND '2026-11-24'"],
  ['IN LAST 1 YEAR', "day BETWEEN '2025-11-25' AND '2026-11-24'"],
  ['NOT IN LAST 7 DAYS', "NOT day BETWEEN '2026-11-18' AND '2026-11-24'"],
  ['IN this month', "day BETWEEN '2026-11-01' AND '2026-11-30'"],
  ['>= last 30 days', "day >= '2026-10-26'"],
  ['since 1 April', "day >= '2026-04-01'"],
  ['SINCE 1 apr 2025', "day >= '2025-04-01'"],
  ['since 25 November', "day >= '2025-11-25'"],
  ['since 24 November', "day >= '2026-11-24'"],
  ['since 29 February', "day >= '2024-02-29'"],
  ['since April', "day >= '2026-04-01'"],
  ['since last month', "day >= '2026-10-01'"],
  ["since '2026-01-31'", "day >= '2026-01-31'"],
  ['== April 2026', "day BETWEEN '2026-04-01' AND '2026-04-30'"],
  ['BETWEEN 1 April AND today', "day BETWEEN '2026-04-01' AND '2026-11-24'"],
  ["BETWEEN '2026-01-01' AND last month", "day BETWEEN '2026-01-01' AND '2026-10-31'"],
  ["since 1 April AND City == 'Panaji'", "day >= '2026-04-01' AND City == 'Panaji'"],
])('%s is %s', (condition, expected) => {
  expect(read(condition)).toBe(expected)
})

describe('where months and years meet', () => {
  test.each([
    ['2026-03-31', 'IN LAST 1 MONTH', "day BETWEEN '2026-03-01' AND '2026-03-31'"],
    ['2024-02-29', 'IN LAST 1 YEAR', "day BETWEEN '2023-03-01' AND '2024-02-29'"],
    ['2026-03-31', '== this financial year', "day BETWEEN '2025-04-01' AND '2026-03-31'"],
    ['2026-04-01', '== this financial year', "day BETWEEN '2026-04-01' AND '2027-03-31'"],
    ['2026-01-01', '== last month', "day BETWEEN '2025-12-01' AND '2025-12-31'"],
    ['2026-01-01', '== last quarter', "day BETWEEN '2025-10-01' AND '2025-12-31'"],
    ['2026-02-01', '== this week', "day BETWEEN '2026-01-26' AND '2026-02-01'"],
    ['2026-11-24', 'IN LAST 9999 YEARS', "day BETWEEN '1600-01-02' AND '2026-11-24'"],
  ])('on %s, %s is %s', (today, condition, expected) => {
    expect(read(condition, today)).toBe(expected)
  })
})

describe('a mistake says where it is and what there is', () => {
  const mistake = (query: string) => {
    try {
      readQuery('company', query, null, '2026-11-24')
    } catch (error) {
      if (error instanceof AppError) return { message: error.message, ...error.extra }
      throw error
    }
    throw new Error(`no mistake was found in ${query}`)
  }
  test.each([
    [`${field} since 31 April`, { position: 26, found: '31 April', message: expect.stringContaining('no such day') }],
    [`${field} >= this fortnight`, { position: 23, found: 'this fortnight' }],
    [`${field} BETWEEN today AND 1 April`, { suggestion: '1 April AND today' }],
    ['City == today', { position: 8, found: 'today', suggestion: "'today'" }],
    [`${field} since 1 Aprl`, { position: 26, found: '1 Aprl', suggestion: '1 April' }],
    [`${field} since 1 Foo`, { position: 26, found: '1 Foo', suggestion: null }],
    [`${field} IN LAST 0 DAYS`, { found: 'LAST 0 DAYS', message: expect.stringContaining('1 to 9,999') }],
    [`${field} IN LAST 10000 DAYS`, { found: 'LAST 10000 DAYS', message: expect.stringContaining('1 to 9,999') }],
    ['DateOfIncorporation >= this month', { position: 0, found: 'DateOfIncorporation', suggestion: field }],
    ['dateofincorporation IN LAST 7 DAYS', { position: 0, found: 'dateofincorporation', suggestion: field }],
    ['dateOfRegistration since 1 April', { position: 0, found: 'dateOfRegistration', suggestion: field }],
    ['founded BETWEEN 1 April AND today', { position: 0, found: 'founded', suggestion: field }],
    ['paidUpCapital since 1 April', { position: 0, found: 'paidUpCapital', suggestion: field }],
    ['paidUpCapital >= this month', { position: 0, found: 'paidUpCapital', suggestion: field }],
    ['City IN LAST 7 DAYS', { position: 0, found: 'City', suggestion: field }],
    ['City NOT IN this month', { position: 0, found: 'City', suggestion: field }],
  ])('%s', (query, expected) => {
    expect(mistake(query)).toMatchObject(expected)
  })
})

test('the day is that of India when none is given', () => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })
  const before = day.format(new Date())
  const { canonical } = readQuery('gst', 'DateOfRegistration == today')
  expect([before, day.format(new Date())].map((each) => `DateOfRegistration == '${each}'`)).toContain(canonical)
})

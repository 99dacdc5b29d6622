/** Days, instants and months as every page shows them. */
import { expect, test } from 'vitest'
import {
  dayAge,
  dayInWords,
  instantInWords,
  lastDayOf,
  momentInWords,
  monthInWords,
  readsAsDay,
} from '../../../web/src/look/days.ts'
import { windowOf } from '../../../web/src/look/scope.ts'

test('a day is written as the same day, a time in Indian time, and a month by its name', () => {
  expect(dayInWords('2026-11-30')).toBe('30 Nov 2026')
  expect(instantInWords(new Date('2026-11-30T19:00:00Z'))).toBe('1 Dec 2026, 12:30 am')
  expect(monthInWords('2026-11')).toBe('November 2026')
})

test('what ends at an instant lasts to the day in India on which its last moment lies', () => {
  const ends = ['2026-11-30T18:30:00.000Z', '2026-11-30T18:30:00.001Z', '2026-11-30T20:00:00Z', '2026-12-01T12:00:00Z']
  expect(ends.map(lastDayOf)).toEqual(['2026-11-30', '2026-12-01', '2026-12-01', '2026-12-01'])
})

test('a time within a week is shown as a distance in Indian days, and one further away by its date', () => {
  const told = (at: string) => momentInWords(new Date(at), new Date('2026-11-27T18:00:00Z'))
  expect(told('2026-11-27T05:00:00Z')).toBe('today, 10:30 am')
  expect(told('2026-11-27T18:29:59Z')).toBe('today, 11:59 pm')
  expect(told('2026-11-27T18:30:00Z')).toBe('tomorrow, 12:00 am')
  expect(told('2026-11-26T18:29:59Z')).toBe('yesterday, 11:59 pm')
  expect(told('2026-11-21T05:00:00Z')).toBe('6 days ago, 10:30 am')
  expect(told('2026-12-03T05:00:00Z')).toBe('in 6 days, 10:30 am')
  expect(told('2026-11-20T05:00:00Z')).toBe('20 Nov 2026, 10:30 am')
  expect(told('2026-12-04T05:00:00Z')).toBe('4 Dec 2026, 10:30 am')
})

test('the age of a day is counted in Indian days, at any hour', () => {
  const told = (on: string) => dayAge(on, new Date('2026-11-27T22:13:00Z'))
  expect(['2026-11-28', '2026-11-27', '2026-10-28'].map(told)).toEqual(['today', 'yesterday', '31 days ago'])
})

test('what only begins like a day is no day', () => {
  expect(['2026-11-30', '2026-11-30T19:00:00Z', '2026-11', 'U2026-11-30'].map(readsAsDay)).toEqual([
    ...[true, false, false, false],
  ])
})

test('a range of days is written in the same words, open at either end', () => {
  expect(windowOf({ from: '2026-11-01', to: '2026-11-30' })).toBe('1 Nov 2026 to 30 Nov 2026')
  expect(windowOf({ from: null, to: '2026-11-30' })).toBe('to 30 Nov 2026')
  expect(windowOf({ from: '2026-11-01', to: null })).toBe('from 1 Nov 2026')
  expect(windowOf(null)).toBe('all days')
})

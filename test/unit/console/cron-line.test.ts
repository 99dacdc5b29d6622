import { expect, test } from 'vitest'
import { cronOf } from '../../../web/src/console/cron-line.ts'
import { cronWords } from '../../../web/src/console/cron-words.ts'

test.each([
  [{ often: 'day', at: '02:30' }, '30 2 * * *', 'Every day at 02:30'],
  [{ often: 'day', at: '00:05' }, '5 0 * * *', 'Every day at 00:05'],
  [{ often: 'weekdays', at: '09:00' }, '0 9 * * 1-5', 'Monday to Friday at 09:00'],
  [{ often: 'week', at: '06:15', weekday: '7' }, '15 6 * * 7', 'Every Sunday at 06:15'],
  [{ often: 'month', at: '23:59', date: '28' }, '59 23 28 * *', 'On day 28 of each month at 23:59'],
  [{ often: 'hour', past: '17' }, '17 * * * *', 'Every hour, 17 minutes past'],
  [{ often: 'cron', cron: '0 0 1-7 * 1' }, '0 0 1-7 * 1', undefined],
])('%o makes the line %j, which is told as %j', (typed, line, words) => {
  expect(cronOf(typed)).toBe(line)
  expect(cronWords(line)).toBe(words)
})

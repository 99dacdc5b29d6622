import { expect, test } from 'vitest'
import { cronWords } from '../../../web/src/console/cron-words.ts'

test.each([
  ['30 2 * * *', 'Every day at 02:30'],
  ['0 4,16 * * *', 'Every day at 04:00 and 16:00'],
  ['15 6 * * 1', 'Every Monday at 06:15'],
  ['15 6 * * mon,thu', 'Every Monday and Thursday at 06:15'],
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['0 0 1 * *', 'On day 1 of each month at 00:00'],
  ['0 0 1 4 *', 'On 1 April of each year at 00:00'],
  ['17 * * * *', 'Every hour, 17 minutes past'],
  ['*/5 * * * *', 'Every 5 minutes'],
  ['* * * * *', 'Every minute'],
  ['5 */6 * * *', 'Every 6 hours, 5 minutes past'],
  ['0 0 1-7 * 1', undefined],
  ['0 9 * * 9', undefined],
  ['0 9 * * L', undefined],
  ['1 2 3', undefined],
])('%j is told as %j', (cron, words) => {
  expect(cronWords(cron)).toBe(words)
})

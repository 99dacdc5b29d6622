/** The table of an ordinary night in `docs/operations.md` tells of every schedule, at the time at which it runs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { schedules } from '../../../config/schedules.ts'

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
const night = /### An ordinary night\n(.*?)\n### /s.exec(page)?.[1] ?? ''

/** `when` of the table, as cron. */
function cronOf(when: string): string {
  const [, every] = /^every (\d+) min$/.exec(when) ?? []
  const [, ofHour] = /^each hour, :(\d\d)$/.exec(when) ?? []
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(when) ?? []
  if (when === 'every minute') return '* * * * *'
  if (every !== undefined) return `*/${every} * * * *`
  if (ofHour !== undefined) return `${Number(ofHour)} * * * *`
  return `${Number(minute)} ${Number(hour)} * * *`
}

test('each default schedule is listed with its time, and no other', () => {
  const told = [...night.matchAll(/^\| ([^|`]+?) +\| `([a-z-]+)`/gm)].map(([, when = '', name = '']) => [
    name,
    cronOf(when),
  ])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron])))
  expect(schedules.filter(({ timezone }) => timezone !== 'Asia/Kolkata')).toEqual([])
})

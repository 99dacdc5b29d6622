/**
 * Relative days in a query: `today`, `this month`, `last 7 days`, `1 April`. They are resolved to their first and last
 * day whenever the query is read, so that a saved query stays current. They ignore case; weeks begin on Monday,
 * financial years on 1 April.
 */
import { daysAfter, isIsoDate } from '../../domain/iso-date.ts'

/** Both days are included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The text in a query, and its days; no period if there is no such day, such as 31 April. */
export interface WrittenPeriod {
  readonly raw: string
  readonly period: Period | undefined
  /** Why there is none, if more specific than that there is no such day. */
  readonly message?: string
  /** A suggestion. */
  readonly suggestion?: string | undefined
}

/** Examples for messages. */
export const relativeDays = ['this month', 'last 7 days', '1 April']

/** Earlier days do not exist in the language. */
const firstYear = 1600
/** At least three letters of a name identify the month. */
export const months = 'January February March April May June July August September October November December'.split(' ')

const written = {
  day: /(today|yesterday)(?!\w)/iy,
  calendar: /(this|last|previous)\s+(week|month|quarter|financial\s+year|year)(?!\w)/iy,
  latest: /(?:last|past)\s+([1-9]\d{0,3})\s+(day|week|month|quarter|year)s?(?!\w)/iy,
  dated: /(\d{1,2})\s+([a-z]{3,9})(?:\s+(\d{4}))?(?!\w)/iy,
  month: /([a-z]{3,9})(?:\s+(\d{4}))?(?!\w)/iy,
}

/** The relative days at this position, if any. */
export function relativeDayAt(query: string, at: number, today: string): WrittenPeriod | undefined {
  const found = (shape: RegExp) => {
    shape.lastIndex = at
    return shape.exec(query) ?? undefined
  }
  const day = found(written.day)
  if (day) return { raw: day[0], period: oneDay(daysAfter(today, /^t/i.test(day[0]) ? 0 : -1)) }
  const calendar = found(written.calendar)
  if (calendar) return { raw: calendar[0], period: calendarPeriod(calendar[1] ?? '', calendar[2] ?? '', today) }
  const latest = found(written.latest)
  if (latest) return { raw: latest[0], period: latestPeriod(Number(latest[1]), latest[2] ?? '', today) }
  const dated = found(written.dated)
  if (dated && numberOfMonth(dated[2]) > 0)
    return { raw: dated[0], period: maybeDay(dayOf(dated[1] ?? '', dated[2] ?? '', dated[3], today)) }
  const month = found(written.month)
  if (!month || numberOfMonth(month[1]) === 0) return undefined
  return { raw: month[0], period: namedMonth(month[1] ?? '', month[2], today) }
}

const oneDay = (day: string): Period => ({ from: day, to: day })
const maybeDay = (day: string | undefined) => (day === undefined ? undefined : oneDay(day))
export const isoDay = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const partsOf = (day: string) => ({
  year: Number(day.slice(0, 4)),
  month: Number(day.slice(5, 7)),
  day: Number(day.slice(8)),
})
/** 0 for a word that is no month; at least three letters of its name are needed. */
export const numberOfMonth = (word = ''): number =>
  months.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase())) + 1

/** The same day this many months later or earlier, or the last day of a shorter month. */
function monthsAfter(today: string, count: number): string {
  const { year, month, day } = partsOf(today)
  const first = year * 12 + month - 1 + count
  const [inYear, inMonth] = [Math.floor(first / 12), (first % 12) + 1]
  if (inYear < firstYear) return isoDay(firstYear, 1, 1)
  const same = isoDay(inYear, inMonth, day)
  return isIsoDate(same) ? same : daysAfter(monthsAfter(isoDay(inYear, inMonth, 1), 1), -1)
}

const firstOf = {
  week: (today: string) => daysAfter(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7)),
  month: (today: string) => `${today.slice(0, 8)}01`,
  quarter: (today: string) => isoDay(partsOf(today).year, Math.floor((partsOf(today).month - 1) / 3) * 3 + 1, 1),
  year: (today: string) => `${today.slice(0, 5)}01-01`,
  financial: (today: string) => isoDay(partsOf(today).year - (partsOf(today).month < 4 ? 1 : 0), 4, 1),
}

const unitOf = (words: string) =>
  /^f/i.test(words)
    ? 'financial'
    : /^w/i.test(words)
      ? 'week'
      : /^m/i.test(words)
        ? 'month'
        : /^q/i.test(words)
          ? 'quarter'
          : 'year'
const monthsIn = { month: 1, quarter: 3, year: 12, financial: 12 } as const

function calendarPeriod(which: string, words: string, today: string): Period {
  const unit = unitOf(words)
  const step = (day: string, count: number) =>
    unit === 'week' ? daysAfter(day, 7 * count) : monthsAfter(day, monthsIn[unit] * count)
  const from = step(firstOf[unit](today), /^this$/i.test(which) ? 0 : -1)
  return { from, to: daysAfter(step(from, 1), -1) }
}

/** Up to and including today. */
function latestPeriod(count: number, word: string, today: string): Period {
  const unit = /^d/i.test(word) ? 'day' : unitOf(word)
  const before =
    unit === 'day' || unit === 'week'
      ? daysAfter(today, -count * (unit === 'day' ? 1 : 7))
      : monthsAfter(today, -count * monthsIn[unit])
  return { from: daysAfter(before, 1), to: today }
}

/** Without a year, the latest one that is not in the future. */
function dayOf(day: string, month: string, year: string | undefined, today: string): string | undefined {
  const years = year === undefined ? latestYears(today) : [Number(year)]
  return years
    .map((each) => isoDay(each, numberOfMonth(month), Number(day)))
    .find((each) => isIsoDate(each) && (year !== undefined || each <= today))
}

function namedMonth(month: string, year: string | undefined, today: string): Period | undefined {
  const from = dayOf('1', month, year, today)
  return from === undefined ? undefined : { from, to: daysAfter(monthsAfter(from, 1), -1) }
}

/** A 29 February is at most eight years back. */
const latestYears = (today: string) => Array.from({ length: 9 }, (_, back) => partsOf(today).year - back)

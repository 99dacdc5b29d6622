/** Days, times and months in words, the same on every page. A day has no time zone; times are in Indian time. */
import { indianDay } from './indian-day.ts'

const day = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'UTC' })
const instant = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' })
const month = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const readsAsDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** `27 Nov 2026`, from a text that begins with a day. */
export const dayInWords = (on: string): string => day.format(new Date(`${on.slice(0, 10)}T00:00:00Z`))

/** The last day of what ends at this instant, which is midnight in India for some and any time for others. */
export const lastDayOf = (end: string): string => indianDay(new Date(Date.parse(end) - 1))

/** `27 Nov 2026, 7:15 am`. */
export const instantInWords = (at: Date): string => instant.format(at)

const clock = new Intl.DateTimeFormat('en-IN', { timeStyle: 'short', timeZone: 'Asia/Kolkata' })
const relative = new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto' })
const dayMs = 86_400_000
const weekDays = 7

const daysFrom = (now: Date, day: string): number => (Date.parse(day) - Date.parse(indianDay(now))) / dayMs

/**
 * `today, 7:15 am`, `2 days ago, 7:15 am`, or from a week on `27 Nov 2026, 7:15 am`; days change at midnight in India.
 */
export function momentInWords(at: Date, now = new Date()): string {
  const days = daysFrom(now, indianDay(at))
  return Math.abs(days) < weekDays ? `${relative.format(days, 'day')}, ${clock.format(at)}` : instantInWords(at)
}

/** `today`, `12 days ago`: a day has no time. */
export const dayAge = (on: string, now = new Date()): string => relative.format(daysFrom(now, on.slice(0, 10)), 'day')

/** `November 2026`, from `2026-11`. */
export const monthInWords = (of: string): string => month.format(new Date(`${of}-01T00:00:00Z`))

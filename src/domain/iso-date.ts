/** Calendar dates as `YYYY-MM-DD` text, compared as text. */

const dayMs = 86_400_000
/** 9999-12-31, from 1970-01-01. */
const lastDay = 2_932_896

/** True for a day that exists, from year 1600 to 9999. */
export function isIsoDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && Number(match[1]) >= 1600 && date.toISOString().startsWith(text)
}

/** The day this many days after 1970-01-01. */
export function dayNumbered(days: number): string {
  return new Date(days * dayMs).toISOString().slice(0, 10)
}

/** The day this many days after another, or before it; at most the last day with a four-digit year. */
export function daysAfter(day: string, days: number): string {
  return dayNumbered(Math.min(Date.parse(`${day}T00:00:00Z`) / dayMs + days, lastDay))
}

/** The day by which daily limits are counted; it ends at midnight UTC. SQL twin: `runtime.limit_day(at)`. */
export function limitDayOf(instant: Date): string {
  return dayNumbered(Math.floor(instant.getTime() / dayMs))
}

/** The time zone of the registers, the invoices and the ledger. */
export const indianZone = 'Asia/Kolkata'

const indianDay = new Intl.DateTimeFormat('en-CA', { timeZone: indianZone })

/** The day of an instant in India, where a day begins at 18:30 UTC. SQL twin: `runtime.indian_day(at)`. */
export function indianDayOf(instant: Date): string {
  return indianDay.format(instant)
}

/** The instant at which a day ends in India. */
export function endOfIndianDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00+05:30`) + dayMs)
}

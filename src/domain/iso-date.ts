/** Calendar dates as `YYYY-MM-DD` text, compared as text. */

/** True for a day that exists, from year 1600 to 9999. */
export function isIsoDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && Number(match[1]) >= 1600 && date.toISOString().startsWith(text)
}

/** The UTC day of an instant. */
export function isoDateOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Where the registers are published, invoices are issued and the ledger keeps its days. */
export const indianZone = 'Asia/Kolkata'

const indianDay = new Intl.DateTimeFormat('en-CA', { timeZone: indianZone })

/** The day of an instant in India, where a day begins at 18:30 UTC. In SQL: `runtime.indian_day(at)`. */
export function indianDayOf(instant: Date): string {
  return indianDay.format(instant)
}

/** The instant at which a day ends in India. */
export function endOfIndianDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00+05:30`) + 86_400_000)
}

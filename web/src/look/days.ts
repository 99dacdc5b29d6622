/** Days, instants and months in words, the same on every page. A day has no time zone; an instant is told in Indian time. */
const day = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'UTC' })
const instant = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' })
const month = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const readsAsDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** `27 Nov 2026`, of a text that begins with a day. */
export const dayInWords = (on: string): string => day.format(new Date(`${on.slice(0, 10)}T00:00:00Z`))

/** `27 Nov 2026, 7:15 am`. */
export const instantInWords = (at: Date): string => instant.format(at)

/** `November 2026`, of `2026-11`. */
export const monthInWords = (of: string): string => month.format(new Date(`${of}-01T00:00:00Z`))

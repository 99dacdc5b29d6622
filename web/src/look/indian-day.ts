/** The day of an instant in India, as `YYYY-MM-DD`: today's unless told. */
const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

export const indianDay = (at = new Date()): string => format.format(at)

/** The day of an instant in India, `YYYY-MM-DD`; of now by default. */
const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

export const indianDay = (at = new Date()): string => format.format(at)

/** The hours of the day, in India, in which leads are delivered to a destination. */
import { AppError } from '../../errors.ts'

/** `20:00-06:00`: the first minute is included, the last one is not. */
export const hoursPattern = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** True for a valid span between two different minutes. */
export function isSpan(text: string): boolean {
  const [from, until] = text.split('-')
  return hoursPattern.test(text) && from !== until
}

/** @param text null for all hours. @throws AppError DESTINATION_INVALID */
export function readHours(text: string | null): string | null {
  if (text === null) return null
  if (isSpan(text)) return text
  throw new AppError('DESTINATION_INVALID', `hours: "${text}" is no span like 20:00-06:00`)
}

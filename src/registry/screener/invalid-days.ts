/** Invalid relative days in a query: a misspelt month, a count out of range. */
import { nearest } from '../../domain/nearest.ts'
import { months, type WrittenPeriod } from './relative-days.ts'

const counted = /(?:last|past)\s+\d+\s+(?:day|week|month|quarter|year)s?(?!\w)/iy
const dated = /(\d{1,2})\s+(?!and\b)([a-z]{3,})(?!\w)/iy
const typosMax = 2

/** The error at this position, if {@link relativeDayAt} finds nothing there. */
export function invalidDayAt(query: string, at: number): WrittenPeriod | undefined {
  counted.lastIndex = dated.lastIndex = at
  const count = counted.exec(query)?.[0]
  if (count !== undefined) {
    const message = 'Days, weeks, months, quarters and years are counted from 1 to 9,999.'
    return { raw: count, period: undefined, message }
  }
  const [raw, day, word = ''] = dated.exec(query) ?? []
  if (raw === undefined) return undefined
  const month = nearest(word, months, typosMax)
  const suggestion = month === undefined ? undefined : `${day} ${month}`
  return { raw, period: undefined, message: `${word} is not a month.`, suggestion }
}

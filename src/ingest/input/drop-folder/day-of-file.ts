/** The day that a file describes: the date in its name, else the day on which it was last written. */
import { isIsoDate, isoDateOf } from '../../../domain/iso-date.ts'

/** Groups y, m and d; a month alone stands for its first day, which is never later than what the file shows. */
const spellings: readonly RegExp[] = [
  /(?<!\d)(?<y>20\d\d)[-_.]?(?<m>\d\d)[-_.]?(?<d>\d\d)(?!\d)/g,
  /(?<!\d)(?<d>\d\d)[-_.](?<m>\d\d)[-_.](?<y>20\d\d)(?!\d)/g,
  /(?<!\d)(?<y>20\d\d)[-_.](?<m>\d\d)(?![-_.]?\d)/g,
]

/** @param now a date later than tomorrow's is a number and no date: it would keep every later file from being applied. */
export function dayOfFile(name: string, writtenAt: Date, now: Date = new Date()): string {
  const latest = isoDateOf(new Date(now.getTime() + 86_400_000))
  for (const spelling of spellings) {
    for (const { groups } of name.matchAll(spelling)) {
      const day = `${groups?.['y']}-${groups?.['m']}-${groups?.['d'] ?? '01'}`
      if (isIsoDate(day) && day <= latest) return day
    }
  }
  return isoDateOf(writtenAt)
}

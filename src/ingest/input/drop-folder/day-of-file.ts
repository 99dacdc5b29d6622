/** The day that a file describes: the date in its name, else the day on which it was last written. */
import { indianDayOf, isIsoDate } from '../../../domain/iso-date.ts'

const months = 'january february march april may june july august september october november december'.split(' ')

/**
 * Groups y, m (a number, or at least three letters of a name) and d; a month alone means its first day, which is never
 * later than what the file shows. Eight digits fit only one of the first two.
 */
const spellings: readonly RegExp[] = [
  /(?<!\d)(?<y>20\d\d)[-_.]?(?<m>\d\d)[-_.]?(?<d>\d\d)(?!\d)/g,
  /(?<!\d)(?<d>\d\d)[-_.]?(?<m>\d\d)[-_.]?(?<y>20\d\d)(?!\d)/g,
  /(?<!\d)(?<d>\d{1,2})[-_. ]?(?<m>[a-z]{3,9})[-_. ]?(?<y>20\d\d)(?!\d)/gi,
  /(?<!\d)(?<y>20\d\d)[-_.](?<m>\d\d)(?![-_.]?\d)/g,
  /(?<![a-z\d])(?<m>[a-z]{3,9})[-_. ]?(?<y>20\d\d)(?!\d)/gi,
]

function dayOf({ y = '', m = '', d = '01' }: Readonly<Record<string, string | undefined>>): string {
  const named = months.findIndex((month) => month.startsWith(m.toLowerCase()))
  const number = /\d/.test(m) ? m : String(1 + named).padStart(2, '0')
  return `${y}-${number}-${d.padStart(2, '0')}`
}

export interface DayOfFile {
  readonly day: string
  /** Why the file cannot be accepted with that day. */
  readonly refusal?: string
}

/**
 * @param today the last day that a file can describe. A name with only a later day is refused: accepted, it would keep
 *   every later file from being applied, and ignoring the date may be just as wrong.
 */
export function dayOfFile(name: string, writtenAt: Date, today: string): DayOfFile {
  let later: string | undefined
  for (const spelling of spellings) {
    for (const { groups } of name.matchAll(spelling)) {
      const day = dayOf(groups ?? {})
      if (isIsoDate(day) && day <= today) return { day }
      if (isIsoDate(day)) later ??= day
    }
  }
  if (later) return { day: later, refusal: `its name shows the day ${later}, which is after today (${today})` }
  // If the sender's clock is fast, that says nothing about the file's content.
  const written = indianDayOf(writtenAt)
  return { day: written < today ? written : today }
}

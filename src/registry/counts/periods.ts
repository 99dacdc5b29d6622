/**
 * The periods needed to count the records that meet a condition on days: a year or month within which the condition's
 * result is constant is one count; in the other months, days are counted one by one.
 */

/** Where a condition's result changes: right before a day or right after it. */
export interface Edge {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly side: 'before' | 'after'
}

export interface Periods {
  /** First days of the years that are not a single count; all others are. */
  readonly dividedYears: readonly string[]
  /** First days of the months within those years that are a single count. */
  readonly months: readonly string[]
  /** Every day of their other months. */
  readonly days: readonly string[]
}

export function periodsBetween(edges: readonly Edge[]): Periods {
  const dividedYears = distinct(edges.filter(isWithin(yearOf)).map(({ day }) => yearOf(day).first))
  const divided = distinct(edges.filter(isWithin(monthOf)).map(({ day }) => monthOf(day).first))
  const months = dividedYears.flatMap((first) => ordinals(12).map((month) => `${first.slice(0, 4)}-${month}-01`))
  return {
    dividedYears,
    months: months.filter((month) => !divided.includes(month)),
    days: divided.flatMap((first) =>
      ordinals(Number(monthOf(first).last.slice(-2))).map((day) => `${first.slice(0, 7)}-${day}`),
    ),
  }
}

interface Span {
  readonly first: string
  readonly last: string
}

const yearOf = (day: string): Span => ({ first: `${day.slice(0, 4)}-01-01`, last: `${day.slice(0, 4)}-12-31` })

function monthOf(day: string): Span {
  const month = day.slice(0, 7)
  const days = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
  return { first: `${month}-01`, last: `${month}-${days}` }
}

const isWithin =
  (spanOf: (day: string) => Span) =>
  ({ day, side }: Edge): boolean =>
    day !== (side === 'before' ? spanOf(day).first : spanOf(day).last)

const ordinals = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'))

const distinct = (days: readonly string[]): string[] => [...new Set(days)].sort()

/** Days as numbers since 1970-01-01, their spellings, and the inflow of registrations over the years. */
import { dayNumbered } from '../src/domain/iso-date.ts'
import { type Random, Weighted } from './random.ts'

const dayMs = 86_400_000
const spellings = new Map<number, string>()

export function dayOf(isoDate: string): number {
  return Date.parse(`${isoDate}T00:00:00Z`) / dayMs
}

/** `2024-03-31`. Spellings are kept: there are only some 28,000 days since 1950. */
export function isoDay(day: number): string {
  const known = spellings.get(day)
  if (known !== undefined) return known
  const spelling = dayNumbered(day)
  spellings.set(day, spelling)
  return spelling
}

/** `31/03/2024`, as the GST portal writes it. */
export function slashedDay(day: number): string {
  const iso = isoDay(day)
  return `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`
}

export interface Inflow {
  /** A registration day, never after today. */
  draw(random: Random): number
}

/**
 * The register's own monthly inflow is about 0.55 % of its size. A small sample would then have empty feeds, so the
 * last 30 days and the 60 before hold at least some 40 and 30 records, as far as the sample is large enough.
 */
export function inflow(
  today: number,
  records: number,
  weightOfYear: (year: number) => number,
  firstYear: number,
): Inflow {
  const share = (monthly: number, least: number) => Math.min(0.2, Math.max(monthly, least / Math.max(1, records)))
  const month = share(0.0055, 40)
  const quarter = month + share(0.011, 30)
  const year = quarter + share(0.05, 30)
  const latest = today - 365
  const lastYear = Number(isoDay(latest).slice(0, 4))
  const years: (readonly [number, number])[] = []
  for (let each = lastYear; each >= firstYear; each--) years.push([dayOf(`${each}-01-01`), weightOfYear(each)])
  const starts = new Weighted(years)
  return {
    draw(random) {
      const draw = random.unit()
      if (draw < month) return today - random.below(30)
      if (draw < quarter) return today - 30 - random.below(60)
      if (draw < year) return today - 90 - random.below(275)
      const start = starts.pick(random)
      return start + random.below(Math.min(365, latest - start + 1))
    },
  }
}

/** New companies by year, after the curve of a whole state's register. */
export function companiesOfYear(year: number): number {
  if (year < 1963) return 1
  if (year < 1980) return 20
  if (year < 1991) return 65
  if (year < 1998) return 180
  if (year < 2004) return 135
  if (year < 2009) return 510
  if (year < 2016) return 250
  return year < 2021 ? 350 : 560
}

/** Months of India to choose from, `YYYY-MM`, the newest first. */
import { monthInWords } from '../look/days.ts'
import { indianDay } from '../look/indian-day.ts'

const shownMonths = 36

export function latestMonths(): string[] {
  const [year = 0, month = 0] = indianDay().split('-').map(Number)
  return Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

export const monthOption = (month: string) => ({ value: month, label: monthInWords(month) })

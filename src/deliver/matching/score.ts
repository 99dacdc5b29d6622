/** How certain a match is, from 1 to 100: the sum of the weights of the columns that agree. Pure. */

import { thresholdMax } from '../destinations/thresholds.ts'

/** An identifier is certain; an address or a number usually belongs to one person; a name or a place to many. */
const weights: Readonly<Record<string, number>> = {
  ...{ GSTIN: 100, CIN: 100, DIN: 100 },
  ...{ Email: 80, Mobile: 70, Website: 60, Phone: 50 },
  ...{ Full_Name: 45, Company: 45, LegalName: 45, TradeName: 40, Last_Name: 25 },
  // Only a company's own domain; free-mail domains never count.
  Email_Domain: 40,
  ...{ Street: 25, Zip_Code: 20, City: 15, District: 10, State: 5 },
}
const otherColumn = 10
const weightOf = (column: string): number => weights[column] ?? otherColumn

export const scoreOf = (columns: readonly string[]): number =>
  Math.min(
    thresholdMax,
    columns.reduce((sum, column) => sum + weightOf(column), 0),
  )

/** `agrees in Company (45), Zip_Code (20): 65 of 100`. */
export const explained = (columns: readonly string[]): string =>
  `agrees in ${columns.map((column) => `${column} (${weightOf(column)})`).join(', ')}: ${scoreOf(columns)} of ${thresholdMax}`

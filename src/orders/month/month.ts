/** A month of the ledger, `YYYY-MM`, as its days in India. */
import type { Queryable } from '../../db/db.ts'
import { daysAfter, indianDayOf } from '../../domain/iso-date.ts'
import { AppError } from '../../errors.ts'

export interface Month {
  /** YYYY-MM */
  readonly month: string
  readonly firstDay: string
  readonly lastDay: string
}

const monthForm = /^20\d{2}-(?:0[1-9]|1[0-2])$/

/** @throws AppError NOT_FOUND for an invalid month, or one that has not begun in India. */
export function monthNamed(name: string, now = new Date()): Month {
  if (!monthForm.test(name)) throw new AppError('NOT_FOUND', 'There is no such month: name one as YYYY-MM.')
  const [year = 0, number = 0] = name.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  const month = { month: name, firstDay: `${name}-01`, lastDay: daysAfter(`${next}-01`, -1) }
  if (month.firstDay > indianDayOf(now)) {
    throw new AppError('NOT_FOUND', `${name} has not begun in India, so there is no report yet.`)
  }
  return month
}

/** By the database's clock, like all days of the ledger. */
export async function readIsOver(db: Queryable, { lastDay }: Month): Promise<boolean> {
  const [row] = await db.query<{ over: boolean }>(
    'SELECT runtime.indian_midnight($1::date + 1) <= clock_timestamp() AS over',
    [lastDay],
  )
  return row?.over ?? false
}

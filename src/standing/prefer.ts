/** Who comes first where a budget is smaller than the matches: the newest, or by a field of numbers or days. */
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { fieldNamed, type ScreenerType } from '../registry/screener/fields.ts'
import { dateColumns } from '../registry/screener/withhold.ts'
import { keys } from './matcher.ts'

const ordered = new Set(['number', 'integer', 'date'])

/** @returns the ORDER BY over a record `r`. @throws AppError UNPROCESSABLE for words that order nothing. */
export function orderOf(type: ScreenerType, prefer: string): string {
  const key = keys[type]
  if (prefer === 'newest') return sql`${dateColumns[type]} DESC NULLS LAST, ${key}`
  if (prefer === 'oldest') return sql`${dateColumns[type]} ASC NULLS LAST, ${key}`
  const [name = '', direction = 'desc', ...more] = prefer.split(' ')
  const field = fieldNamed(type, name)
  if (!field || !ordered.has(field.kind) || !['asc', 'desc'].includes(direction) || more.length > 0) {
    throw new AppError(
      'UNPROCESSABLE',
      `prefer must be newest, oldest, or a field of numbers or days with asc or desc, such as "paidUpCapital desc"; this is "${prefer}".`,
    )
  }
  return sql`${field.column} ${direction === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, ${key}`
}

/**
 * Which matches are bought first if a budget is smaller than their number: the newest or oldest, or by a numeric or
 * date field.
 */
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { fieldNamed, type ScreenerType } from '../registry/screener/fields.ts'
import { dateColumns } from '../registry/screener/withhold.ts'
import { keys } from './matcher.ts'

const ordered = new Set(['number', 'integer', 'date'])

/**
 * @returns the ORDER BY over a record `r`.
 * @throws AppError UNPROCESSABLE for an invalid preference.
 */
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

/**
 * Further fields of the records on one page, as chosen by the caller. Days are left out for records whose registration
 * a feed sells, and personal data is only shown in leads.
 */
import type { Queryable } from '../../db/db.ts'
import { identifier, sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { AppError } from '../../errors.ts'
import { registerTables } from '../register-table.ts'
import { type Field, fieldNamed, type ScreenerType, screenerFields } from './fields.ts'
import { visibleTo } from './withhold.ts'

export const shownMax = 20

export type ShownValue = string | number | boolean | string[] | null
export type ShownValues = Readonly<Record<string, ShownValue>>

/**
 * @returns the values of each identifier, in order.
 * @throws AppError UNPROCESSABLE for a field that is not shown.
 */
export async function readShownValues(
  tx: Queryable,
  type: ScreenerType,
  identifiers: readonly string[],
  { show, sold }: { readonly show: readonly string[]; readonly sold: SoldRegistrations | null },
): Promise<readonly ShownValues[]> {
  const { table, key } = registerTables[type]
  const values: unknown[] = [identifiers]
  const bind = (value: unknown) => `$${values.push(value)}`
  const columns = show.map((name) => {
    const field = shownField(type, name)
    return sql`${shownColumn(type, field, sold, bind)} AS ${identifier(field.name)}`
  })
  const read = [sql`${key} AS key`, ...columns].join(', ')
  const rows = await tx.query<Record<string, ShownValue> & { readonly key: string }>(
    sql`SELECT ${read} FROM ${table} r WHERE ${key} = ANY ($1::text[])`,
    values,
  )
  const found = new Map(rows.map(({ key: of, ...shown }) => [of, shown]))
  return identifiers.map((of) => found.get(of) ?? {})
}

/** @throws AppError UNPROCESSABLE */
export function shownField(type: ScreenerType, name: string): Field {
  const field = fieldNamed(type, name)
  if (field && !field.isPersonal) return field
  const names = screenerFields[type].filter(({ isPersonal }) => !isPersonal).map((each) => each.name)
  throw new AppError('UNPROCESSABLE', `${name} is not a field that a search shows. Use one of ${names.join(', ')}.`)
}

/** A field's value in responses, also used for sorting. */
export function shownColumn(
  type: ScreenerType,
  { kind, column, written }: Field,
  sold: SoldRegistrations | null,
  bind: (value: unknown) => string,
): string {
  switch (kind) {
    case 'date':
      return sql`CASE WHEN ${visibleTo(type, sold, bind)} THEN ${column}::text END`
    case 'number':
    case 'integer':
      return sql`(${column})::float8`
    case 'name':
      return written ?? column
    case 'text':
    case 'identifier':
    case 'code':
    case 'list':
    case 'flag':
      return sql`(${column})`
  }
}

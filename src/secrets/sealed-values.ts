/** The statements over sealed columns, whatever the form of the bytes. Forgotten values are empty. */

import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.ts'

export interface SealedValue {
  /** Location of the row, while the transaction locks it. */
  readonly part: string
  readonly place: string
  readonly id: string
  readonly boundTo: string
  readonly sealed: Buffer
}

const readers = {
  bytes: (column: string) => column,
  base64: (column: string) => sql`decode(${column}, 'base64')`,
  json: (column: string) => sql`decode(${column} ->> 'sealed', 'base64')`,
} as const

const base64 = (value: string) => sql`translate(encode(${value}, 'base64'), E'\\n', '')`
const writers = {
  bytes: (_column: string, value: string) => value,
  base64: (_column: string, value: string) => base64(value),
  json: (column: string, value: string) => sql`${column} || jsonb_build_object('sealed', ${base64(value)})`,
} as const

/** Columns whose tables exist. */
export async function presentColumns(tx: Tx): Promise<SealedColumn[]> {
  const rows = await tx.query<{ table: string }>(
    'SELECT name AS "table" FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [sealedColumns.map(({ table }) => table)],
  )
  const present = new Set(rows.map(({ table }) => table))
  return sealedColumns.filter(({ table }) => present.has(table))
}

const holdsValue = ({ form, column }: SealedColumn): string => sql`octet_length(${readers[form](column)}) > 0`

const selectOf = (sealed: SealedColumn): string =>
  sql`SELECT tableoid::text AS part, ctid::text AS place, (${sealed.id})::text AS id, ${sealed.boundTo} AS "boundTo",
     ${readers[sealed.form](sealed.column)} AS sealed
   FROM ${sealed.table} WHERE ${holdsValue(sealed)}`

/** undefined where there is none. */
export async function newestValue(tx: Tx, column: SealedColumn): Promise<SealedValue | undefined> {
  const [row] = await tx.query<SealedValue>(sql`${selectOf(column)} ORDER BY created_at DESC LIMIT 1`)
  return row
}

export async function countValues(tx: Tx, column: SealedColumn): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM ${column.table} WHERE ${holdsValue(column)}`,
  )
  return row?.count ?? 0
}

/** All values in batches, each locked until the transaction ends. */
export async function* heldValues(tx: Tx, column: SealedColumn, atOnce = 500): AsyncGenerator<SealedValue[]> {
  await tx.execute(`DECLARE sealed_values NO SCROLL CURSOR FOR ${selectOf(column)} FOR UPDATE`)
  for (;;) {
    const rows = await tx.query<SealedValue>(sql`FETCH ${atOnce} FROM sealed_values`)
    if (rows.length === 0) break
    yield rows
  }
  await tx.execute('CLOSE sealed_values')
}

export async function writeValues(
  tx: Tx,
  { table, column, form }: SealedColumn,
  values: readonly Pick<SealedValue, 'part' | 'place' | 'sealed'>[],
): Promise<void> {
  await tx.execute(
    sql`UPDATE ${table} SET ${column} = ${writers[form](`${table}.${column}`, 'given.sealed')}
     FROM unnest($1::text[], $2::text[], $3::bytea[]) AS given (part, place, sealed)
     WHERE ${table}.ctid = given.place::tid AND ${table}.tableoid = given.part::oid`,
    [values.map(({ part }) => part), values.map(({ place }) => place), values.map(({ sealed }) => sealed)],
  )
}

export async function forgetValues(tx: Tx, column: SealedColumn): Promise<void> {
  await tx.execute(
    sql`UPDATE ${column.table} SET ${column.column} = ${writers[column.form](column.column, `''::bytea`)}
     WHERE ${holdsValue(column)}`,
  )
}

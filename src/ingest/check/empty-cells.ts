/** How many usable rows of a checked table have no value in a column, for each column that the header covers. */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { isTold } from './coverage.ts'
import type { CheckStatement } from './statement.ts'

export async function emptyCells(
  tx: Queryable,
  source: Source,
  table: string,
  { columns, coverage }: Pick<CheckStatement, 'columns' | 'coverage'>,
): Promise<Record<string, number>> {
  const covered = columns.filter(
    (name) => name !== source.key && source.columns[name]?.kind !== 'name-key' && isTold(coverage.get(name)),
  )
  if (covered.length === 0) return {}
  const counts = covered.map((name) => sql`${literal(name)}, count(*) - count(${name})`)
  const [row] = await tx.query<{ empty: Record<string, number> }>(
    sql`SELECT jsonb_build_object(${counts.join(', ')}) AS empty FROM ${table} WHERE fault IS NULL`,
  )
  return row?.empty ?? {}
}

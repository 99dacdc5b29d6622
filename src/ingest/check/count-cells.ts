/**
 * For each column of the header, how many usable rows of a checked table have no value; and how many rows have a
 * registration day later than the snapshot's: feeds show these only from that day on, so operators may miss them until
 * then.
 */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { isCovered } from './coverage.ts'
import type { CheckStatement } from './statement.ts'

export interface CellCounts {
  readonly empty: Readonly<Record<string, number>>
  readonly ahead: number
}

export async function countCells(
  tx: Queryable,
  source: Source,
  { table, runId }: { readonly table: string; readonly runId: number },
  { columns, coverage }: Pick<CheckStatement, 'columns' | 'coverage'>,
): Promise<CellCounts> {
  const covered = columns.filter(
    (name) => name !== source.key && source.columns[name]?.kind !== 'name-key' && isCovered(coverage.get(name)),
  )
  if (covered.length === 0) return { empty: {}, ahead: 0 }
  const day = covered.find((name) => name === source.feed?.registeredOn)
  const isAhead = day === undefined ? 'false' : sql`${day} > (SELECT as_of FROM ingest.run WHERE run_id = $1)`
  const counts = covered.map((name) => sql`${literal(name)}, count(*) - count(${name})`)
  const [row] = await tx.query<CellCounts>(
    sql`SELECT jsonb_build_object(${counts.join(', ')}) AS empty, count(*) FILTER (WHERE ${isAhead}) AS ahead
     FROM ${table} WHERE fault IS NULL`,
    day === undefined ? [] : [runId],
  )
  return row ?? { empty: {}, ahead: 0 }
}

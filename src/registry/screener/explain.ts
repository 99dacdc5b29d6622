/** How a query was read and how PostgreSQL would run it: canonical text, indexes and estimates; nothing is executed. */
import type { Db } from '../../db/db.ts'
import { boundedRead } from '../bounded-read.ts'
import { withNamePieces } from '../name-words.ts'
import { registerTables } from '../register-table.ts'
import { registerState } from '../total-cache.ts'
import type { ScreenerType } from './fields.ts'
import { indexNames, planOf } from './plan.ts'
import { readQuery } from './read.ts'

export interface QueryExplanation {
  readonly canonical: string
  readonly indexes: readonly string[]
  readonly estimated_rows: number
  readonly estimated_cost: number
}

export async function explainQuery(db: Db, type: ScreenerType, query: string): Promise<QueryExplanation> {
  const compiled = readQuery(type, query)
  const { canonical, condition } = compiled
  const plan = await boundedRead(db, async (tx) =>
    planOf(
      tx,
      `SELECT 1 FROM ${registerTables[type].table} r WHERE r.closed_on IS NULL AND ${condition}`,
      await withNamePieces(tx, type, compiled, await registerState(tx, type)),
    ),
  )
  return {
    canonical,
    indexes: [...new Set(indexNames(plan))],
    estimated_rows: plan['Plan Rows'],
    estimated_cost: plan['Total Cost'],
  }
}

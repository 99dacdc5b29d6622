/**
 * How a query was parsed and how PostgreSQL would run it: canonical text, indexes and estimates; nothing is executed.
 */

import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import type { ScreenerType } from './fields.ts'
import { readPermitted } from './permitted.ts'
import { indexNames, readPlan } from './plan.ts'
import { withRegisterWords } from './register-words.ts'
import { refuseUnheldWords } from './word-pieces.ts'

export interface QueryExplanation {
  readonly canonical: string
  readonly indexes: readonly string[]
  readonly estimated_rows: number
  readonly estimated_cost: number
}

export async function explainQuery(
  db: Db,
  type: ScreenerType,
  query: string,
  sold: SoldRegistrations | null,
): Promise<QueryExplanation> {
  const compiled = readPermitted(type, query, sold)
  const { canonical, condition } = compiled
  const plan = await boundedRead(db, async (tx) => {
    const state = await registerState(tx, type)
    await refuseUnheldWords(tx, type, query, compiled.wordPieces, state)
    const { values } = await withRegisterWords(tx, type, compiled, state)
    return readPlan(
      tx,
      sql`SELECT 1 FROM ${registerTables[type].table} r WHERE r.closed_on IS NULL AND ${condition}`,
      values,
    )
  })
  return {
    canonical,
    indexes: [...new Set(indexNames(plan))],
    estimated_rows: plan['Plan Rows'],
    estimated_cost: plan['Total Cost'],
  }
}

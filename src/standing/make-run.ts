/**
 * The matches of an import, or those that a schedule gathered, become a run of each standing order. It waits for somebody to look at
 * it where it is the first that finds anything, or finds far more than a usual day does. One that only notifies waits for nobody:
 * nothing is spent. What a standing order found that was paused meanwhile becomes none.
 */
import { standingTerms } from '../../config/plans.ts'
import type { Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { announce } from '../notify/announce.ts'

interface Made {
  readonly runId: number
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly matches: number
  readonly usual: number | null
  readonly reason: 'first_run' | 'unusual' | null
}

const makeSql = sqlFile(import.meta.url, 'make-runs.sql')

/**
 * Within the transaction that found the matches, which lie without a run until now.
 * @param importRunId null: of several. @returns how many runs were made; a standing order without new matches gets none.
 */
export async function makeRuns(tx: Tx, ids: readonly string[], importRunId: number | null): Promise<number> {
  if (ids.length === 0) return 0
  // Held like a purchase holds it, in one order: a pause comes before or after, and never between match and run.
  await tx.execute(
    'SELECT FROM orders.standing_order WHERE standing_order_id = ANY ($1::uuid[]) ORDER BY standing_order_id FOR NO KEY UPDATE',
    [ids],
  )
  const { unusualTimes, usualDays } = standingTerms
  const made = await tx.query<Made>(makeSql, [ids, importRunId, unusualTimes, usualDays])
  for (const { runId, id, accountId, name, matches, usual, reason } of made) {
    if (reason === null) continue
    const data = { standing_order_id: id, name, run_id: runId, matches, usual, reason }
    await announce(tx, accountId, 'standing_order.needs_approval', data, { about: `${id}:${runId}`, data })
  }
  return made.length
}

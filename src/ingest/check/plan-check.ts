/**
 * Settles how the rows of one staged snapshot are checked, before any row is: the query, and the fingerprint by which
 * a later run tells a row that it need not check again.
 */

import { createHash } from 'node:crypto'
import type { Source } from '../../../config/sources/source.ts'
import type { Db, Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Staged } from '../stage/stage.ts'
import { listAliases, syncAliases } from './aliases.ts'
import { type DateOrders, decideDateOrders } from './date-order.ts'
import { type CheckStatement, checkStatement } from './statement.ts'

export interface CheckPlan {
  readonly statement: CheckStatement
  readonly dateOrders: DateOrders
  /** SQL over a staged row s, a bigint: the same for the same cells read by the same rules, whatever their order. */
  readonly fingerprint: string
}

export async function planCheck(db: Db, source: Source, staged: Pick<Staged, 'table' | 'match'>): Promise<CheckPlan> {
  return db.transaction(async (tx) => {
    await syncAliases(tx)
    const [present] = await tx.query<{ pins: boolean; nic: boolean }>(
      `SELECT EXISTS (SELECT FROM reference.pincode WHERE closed_on IS NULL) AS pins,
              EXISTS (SELECT FROM reference.nic WHERE closed_on IS NULL) AS nic`,
    )
    const dateOrders = await decideDateOrders(tx, source, staged)
    const statement = checkStatement(source, {
      stageTable: staged.table,
      positions: staged.match.positions,
      dateOrders,
      hasPinDirectory: present?.pins ?? false,
      hasNicList: present?.nic ?? false,
    })
    const seed = await rulesSeed(tx, statement.rules)
    return {
      statement,
      dateOrders,
      fingerprint: sql`hash_record_extended(ROW(${statement.cells.join(', ')}), ${literal(seed)}::bigint)`,
    }
  })
}

/**
 * A change of the rules, of the vocabularies, of a reference list that the rules join or of the readers' SQL functions
 * makes every fingerprint a new one, so that all rows are checked again.
 */
async function rulesSeed(tx: Tx, rules: string): Promise<string> {
  const lists = ['pincode', 'nic'].filter((name) => rules.includes(`reference.${name} `))
  const versions = await tx.query(
    `SELECT entity, version FROM registry.version WHERE entity = ANY($1::text[])
     UNION ALL SELECT name || ' ' || sha256, 0 FROM runtime.sql_function WHERE name ~ '^(ingest|source)[.]' ORDER BY 1`,
    [lists],
  )
  const digest = createHash('sha256')
    .update(JSON.stringify([rules, listAliases(), versions]))
    .digest()
  return digest.readBigInt64BE().toString()
}

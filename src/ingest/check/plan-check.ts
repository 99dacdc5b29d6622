/**
 * Plans the check of a staged snapshot before any row is checked: the query, and the fingerprint by which a later run
 * recognizes a row that need not be checked again.
 */

import { createHash } from 'node:crypto'
import type { Source } from '../../../config/sources/source.ts'
import type { Db, Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import type { HeaderMatch } from '../header-match.ts'
import { listAliases, syncAliases } from './aliases.ts'
import { type DateCells, type DateOrders, decideDateOrders } from './date-order.ts'
import { type CheckStatement, checkStatement } from './statement.ts'

export interface CheckPlan {
  readonly statement: CheckStatement
  readonly dateOrders: DateOrders
  /** SQL over a staged row s, a bigint: equal for equal cells read by the same rules, regardless of column order. */
  readonly fingerprint: string
  /** The same over a row s of the contents of a file that is not staged. */
  readonly fingerprintOfContent: string
}

/** The cells that make up a record's content: those that the source reads, in an order independent of the file's. */
export const contentColumns = (positions: ReadonlyMap<string, number>): number[] =>
  [...positions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, position]) => position)

/** Over a staged row s; src/ingest/stage/content-hash.ts computes the same. */
export const contentOf = (positions: ReadonlyMap<string, number>): string =>
  sql`hash_record_extended(ROW(${contentColumns(positions)
    .map((position) => `s.c${position}`)
    .join(', ')}), 0)`

export async function planCheck(
  db: Db,
  source: Source,
  match: HeaderMatch,
  cells: DateCells,
  stageTable: string,
): Promise<CheckPlan> {
  return db.transaction(async (tx) => {
    await syncAliases(tx)
    const [present] = await tx.query<{ pins: boolean; nic: boolean }>(
      `SELECT EXISTS (SELECT FROM reference.pincode WHERE closed_on IS NULL) AS pins,
              EXISTS (SELECT FROM reference.nic WHERE closed_on IS NULL) AS nic`,
    )
    const dateOrders = await decideDateOrders(tx, source, match, cells)
    const statement = checkStatement(source, {
      stageTable,
      positions: match.positions,
      dateOrders,
      hasPinDirectory: present?.pins ?? false,
      hasNicList: present?.nic ?? false,
    })
    const seed = await rulesSeed(tx, statement.rules)
    // hashint8extended would keep 32 of the 64 bits, and rows among millions would share them.
    const fingerprint = (content: string) => sql`(${content} # ${literal(seed)}::bigint)`
    return {
      statement,
      dateOrders,
      fingerprint: fingerprint(contentOf(match.positions)),
      fingerprintOfContent: fingerprint('s.content'),
    }
  })
}

/**
 * Any change of the rules, the vocabularies, a joined reference list or the readers' SQL functions changes every
 * fingerprint, so that all rows are checked again.
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

/** What a register's words have to be counted from. Used by both counts of words, each under its lock. */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { expectManyRows } from '../run/many-rows.ts'

export interface WordsDue {
  /** The newest version; the caller reads the register only after this. */
  readonly version: number
  /** The run that created it, if the previous version's words are known; otherwise all words are due. */
  readonly run: number | undefined
}

/**
 * @param state the table with the version whose words are known.
 * @returns undefined if that is the newest.
 */
export async function wordsDue(tx: Tx, entity: EntityType, state: string): Promise<WordsDue | undefined> {
  const [now] = await tx.query<{ version: number; run: number | null; known: number | null }>(
    sql`SELECT v.version, v.run_id AS run, known.version AS known
        FROM registry.version v LEFT JOIN ${state} known USING (entity) WHERE v.entity = $1`,
    [entity],
  )
  if (!now || now.known === now.version) return undefined
  await expectManyRows(tx)
  return { version: now.version, run: now.known === now.version - 1 ? (now.run ?? undefined) : undefined }
}

/** What a register's words are to be counted from; both counts of words ask it, each holding its lock. */
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { expectManyRows } from '../run/many-rows.ts'

export interface WordsDue {
  /** The newest version: whoever counts reads the register after it was told. */
  readonly version: number
  /** The run that raised it, where the words of the version before are known; else all words are due. */
  readonly run: number | undefined
}

/** @param state the table that tells which version's words are known. @returns undefined where those of the newest are. */
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

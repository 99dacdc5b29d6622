/** Keeps registry.name_word in step with a register's names. Repeated or late, it ends in words of the newest version. */
import { sources } from '../../../config/sources/index.ts'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'

const collect = sqlFile(import.meta.url, 'collect-name-words.sql')
/** Two collections of one register would wait for each other's words row by row; one at a time. */
const wordsLockClass = 0x776f

/** @returns how many words were new. */
export async function collectNameWords(db: Db, entity: EntityType): Promise<{ readonly words: number }> {
  const source = sources.find((each) => each.entity === entity)
  if (!source) throw new Error(`no source fills the register of ${entity}`)
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1, hashtext($2))', [wordsLockClass, entity])
    const [added] = await tx.query<{ words: number }>(fillSql(collect, { table: source.table }), [entity])
    return added ?? { words: 0 }
  })
}

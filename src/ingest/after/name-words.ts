/**
 * Updates registry.name_word from a register's names. Repeated or late, it results in the words of the newest version.
 * Names are counted into a temporary table, since PostgreSQL only reads in parallel for a statement that writes nothing
 * else.
 */
import { sources } from '../../../config/sources/index.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Db } from '../../db/db.ts'
import { changesOf } from '../../db/history-with-inserts.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { EntityType } from '../../domain/identity.ts'
import { wordsDue } from './words-due.ts'

const collect = sqlFile(import.meta.url, 'collect-name-words.sql')
/**
 * Two concurrent collections for one register would wait for each other's words row by row, so they run one at a time.
 */
const wordsLockClass = 0x776f

/** @returns the number of new words. */
export async function collectNameWords(db: Db, entity: EntityType): Promise<{ readonly words: number }> {
  const source = sources.find((each) => each.entity === entity)
  if (!source) throw new Error(`no source fills the register of ${entity}`)
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1, hashtext($2))', [wordsLockClass, entity])
    const due = await wordsDue(tx, entity, 'registry.name_word_state')
    if (!due) return { words: 0 }
    const names = due.run === undefined ? source.table : writtenBy(source, due.run)
    await tx.execute(sql`CREATE TEMPORARY TABLE counted ON COMMIT DROP AS
      SELECT word, count(*) AS names FROM ${names} AS r CROSS JOIN unnest(string_to_array(r.name_key, ' ')) AS word
      WHERE word <> '' GROUP BY word ORDER BY word`)
    const [added] = await tx.query<{ words: number }>(collect, [entity, due.version, due.run !== undefined])
    return added ?? { words: 0 }
  })
}

/**
 * The names that a run wrote, according to its history. That includes records restored by an undo, whose last run is an
 * earlier one. For a director who objected the history is erased, but not the record.
 */
function writtenBy(source: Source, run: number): string {
  const { table, key, entity } = source
  const erased = entity === 'director' ? 'UNION SELECT din FROM registry.withheld_director' : ''
  return sql`(SELECT t.name_key FROM (SELECT identifier FROM ${changesOf(source, sql`= ${run}::bigint`)} AS h ${erased}) AS written
    JOIN ${table} t ON t.${key} = written.identifier)`
}

/**
 * Keeps registry.held_word: the words that a register's open records hold, and how many records hold each. Repeated or
 * late, it ends in the words of the newest version; of a version that is counted already it does nothing.
 */

import { sources } from '../../../config/sources/index.ts'
import { listColumns, wordColumns } from '../../../config/vocabularies.ts'
import type { Db } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'

const collect = sqlFile(import.meta.url, 'collect-held-words.sql')
/** Two counts of one register would each write the other's words; one at a time. */
const wordsLockClass = 0x6877

/** @returns how many different words the register holds. */
export async function collectHeldWords(db: Db, entity: EntityType): Promise<{ readonly words: number }> {
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1, hashtext($2))', [wordsLockClass, entity])
    const [counted] = await tx.query<{ words: number }>(fillSql(collect, { counts: countsOf(entity) }), [entity])
    return counted ?? { words: 0 }
  })
}

/** One pass over the register for all columns of one word, and one for each column that lists several. */
function countsOf(entity: EntityType): string {
  const table = sources.find((source) => source.entity === entity)?.table
  if (table === undefined) throw new Error(`no source fills the register of ${entity}`)
  const columns = Object.keys(wordColumns[entity])
  const single = columns.filter((column) => !listColumns.includes(column))
  const names = single.map((column) => sql`WHEN grouping(r.${column}) = 0 THEN ${literal(column)}`).join(' ')
  const sets = single.map((column) => `(r.${column})`).join(', ')
  const due = 'CROSS JOIN now WHERE r.closed_on IS NULL AND now.known IS DISTINCT FROM now.version'
  return [
    sql`SELECT CASE ${names} END AS column_name, coalesce(${single.map((column) => `r.${column}`).join(', ')}) AS word,
            count(*) AS records FROM ${table} r ${due} GROUP BY GROUPING SETS (${sets})`,
    ...columns
      .filter((column) => listColumns.includes(column))
      .map(
        (column) => sql`SELECT ${literal(column)}, held.word, count(*) FROM ${table} r
          CROSS JOIN LATERAL (SELECT DISTINCT word FROM unnest(r.${column}) AS word) AS held ${due} GROUP BY held.word`,
      ),
  ].join('\nUNION ALL ')
}

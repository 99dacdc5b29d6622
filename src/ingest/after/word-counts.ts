/**
 * Updates registry.held_word: the words in a register's open records, with their numbers of records. Repeated or late,
 * it results in the words of the newest version; it does nothing for a version already counted. The register is read
 * once, in parallel, and grouped into records with the same words in all columns, which are then counted by column.
 */

import { sources } from '../../../config/sources/index.ts'
import { listColumns, wordColumns } from '../../../config/vocabularies.ts'
import type { Db } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import { wordsDue } from './words-due.ts'

const collect = sqlFile(import.meta.url, 'collect-word-counts.sql')
/** Two concurrent counts of one register would each write the other's words, so they run one at a time. */
const wordsLockClass = 0x6877

/** @returns the number of different words in the register. */
export async function collectHeldWords(db: Db, entity: EntityType): Promise<{ readonly words: number }> {
  const table = sources.find((source) => source.entity === entity)?.table
  if (table === undefined) throw new Error(`no source fills the register of ${entity}`)
  const columns = Object.keys(wordColumns[entity])
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1, hashtext($2))', [wordsLockClass, entity])
    const due = await wordsDue(tx, entity, 'registry.held_word_state')
    if (!due) return { words: 0 }
    // The planner assumes independent columns, and so expects too many groups to combine them from several processes.
    await tx.execute('SET LOCAL parallel_tuple_cost = 0')
    await tx.execute(sql`CREATE TEMPORARY TABLE held ON COMMIT DROP AS
      SELECT ${columns.join(', ')}, count(*) AS records FROM ${table} WHERE closed_on IS NULL GROUP BY ${columns.join(', ')}`)
    const statement = fillSql(collect, { counts: countsOf(columns) })
    const [counted] = await tx.query<{ words: number }>(statement, [entity, due.version])
    return counted ?? { words: 0 }
  })
}

/** One pass for all columns with a single word, and one for each column that lists several. */
function countsOf(columns: readonly string[]): string {
  const single = columns.filter((column) => !listColumns.includes(column))
  const names = single.map((column) => sql`WHEN grouping(${column}) = 0 THEN ${literal(column)}`).join(' ')
  const sets = single.map((column) => `(${column})`).join(', ')
  return [
    sql`SELECT CASE ${names} END AS column_name, coalesce(${single.join(', ')}) AS word, sum(records)::bigint AS records
        FROM held GROUP BY GROUPING SETS (${sets})`,
    ...columns
      .filter((column) => listColumns.includes(column))
      .map(
        (column) => sql`SELECT ${literal(column)}, each.word, sum(records)::bigint FROM held
          CROSS JOIN LATERAL (SELECT DISTINCT word FROM unnest(held.${column}) AS word) AS each GROUP BY each.word`,
      ),
  ].join('\nUNION ALL ')
}

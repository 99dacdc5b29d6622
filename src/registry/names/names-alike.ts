/** Names similar to the text, if no name matches it. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { candidatesMax, type NameSearch, prefixLengthMin } from './name-query.ts'
import { lexeme, wordsAlike } from './name-words.ts'

/** Less similar names (0 to 1, by trigrams) are not offered. */
const similarityMin = 0.3
/** Spellings in the register tried for one misspelt word. */
const spellingsPerWord = 8
/** If no word of the register is similar, names are considered that share this many initial letters. */
const stemLength = 4

/**
 * Names with words spelt like those typed: all of them or, if there are none, any of them. The first letters may be
 * wrong too, because whole words are compared.
 */
export async function namesAlike(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const long = words.filter((word) => word.length >= prefixLengthMin)
  if (long.length === 0) return []
  const found = await wordsAlike(tx, search.entity, long, spellingsPerWord)
  // A word that the register has is assumed to be correct, as long as another may be the misspelt one.
  const isKnown = long.map((word, index) => found[index]?.includes(word) === true)
  const spellings = found.map((alike, index) =>
    isKnown[index] && !isKnown.every(Boolean) ? alike.filter((word) => word === long[index]) : alike,
  )
  const terms = long.map((word, index) => {
    const alike = (spellings[index] ?? []).map((each) => lexeme(each, false))
    return `(${(alike.length > 0 ? alike : [lexeme(word.slice(0, stemLength), true)]).join(' | ')})`
  })
  // A name whose words are all similar counts at any length; a shared prefix alone says little.
  const allSpelt = spellings.every((alike) => alike.length > 0)
  const ofAll = await rankedByLikeness(tx, search, words, terms.join(' & '), allSpelt ? 0 : similarityMin)
  if (ofAll.length > 0 || terms.length === 1) return ofAll
  return rankedByLikeness(tx, search, words, terms.join(' | '), similarityMin)
}

async function rankedByLikeness(
  tx: Queryable,
  search: NameSearch,
  words: readonly string[],
  query: string,
  likenessMin: number,
): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const candidates = where.bind(query)
  const enough = where.bind(likenessMin)
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, similarity(r.name_key, ${name}::text) AS likeness
       FROM ${table} r WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${candidates}::text)
       LIMIT ${candidatesMax}
     ) AS candidate
     WHERE likeness >= ${enough}::real ORDER BY likeness DESC, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

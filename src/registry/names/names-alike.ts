/** Names that are spelt like the one asked for, where no name fits it. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { candidatesMax, type NameSearch, prefixLengthMin } from './name-asked.ts'
import { lexeme, wordsAlike } from './name-words.ts'

/** Names less alike than this (0 to 1, by trigrams) are not offered. */
const similarityMin = 0.3
/** Spellings of the register that stand for one misspelt word. */
const spellingsPerWord = 8
/** Where no word of the register is like one asked for, names count that share this many letters with its beginning. */
const stemLength = 4

/**
 * Names of words spelt like those asked for: of all of them, and where there is none, of any of them. The first letters
 * may be wrong too, because the words of the register are compared as a whole.
 */
export async function namesAlike(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const long = words.filter((word) => word.length >= prefixLengthMin)
  if (long.length === 0) return []
  const found = await wordsAlike(tx, search.entity, long, spellingsPerWord)
  // A word that the register has is taken to be meant, as long as another may be the misspelt one.
  const isKnown = long.map((word, index) => found[index]?.includes(word) === true)
  const spellings = found.map((alike, index) =>
    isKnown[index] && !isKnown.every(Boolean) ? alike.filter((word) => word === long[index]) : alike,
  )
  const terms = long.map((word, index) => {
    const alike = (spellings[index] ?? []).map((each) => lexeme(each, false))
    return `(${(alike.length > 0 ? alike : [lexeme(word.slice(0, stemLength), true)]).join(' | ')})`
  })
  // A name of words that are all spelt alike is alike, however long it is; a shared beginning alone says little.
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
